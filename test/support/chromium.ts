import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const WHOLE_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** The first has no windows, and takes a quarter less CPU time. */
const NAMES = ['chromium-headless-shell', ...WHOLE_NAMES]
const PACKAGE = 'chromium-headless-shell'

/** The system's Chromium. Debian's is installed when it is missing and this may do so. */
export function headlessChromium(): string {
  return findChromium() ?? install(PACKAGE, findChromium)
}

/** The one with windows. */
export function wholeChromium(): string {
  const find = () => findProgram(WHOLE_NAMES)
  return find() ?? install('chromium', find)
}

/** As root, which is how containers run, Chromium's own sandbox does not start. */
export const withoutSandbox = () => (isRoot() ? ['--no-sandbox'] : [])

export function findChromium(): string | undefined {
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  return [process.env.CHROMIUM_PATH ?? '', findProgram(NAMES) ?? '', mac].find(isExecutable)
}

export function findProgram(names: readonly string[]): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}

/** Installs this package of Debian, where that may be done. */
export function install(name: string, find: () => string | undefined): string {
  if (isRoot() && isDebian()) {
    execFileSync('apt-get', ['update'], { stdio: 'ignore' })
    const words = ['install', '-y', '--no-install-recommends', name]
    execFileSync('apt-get', words, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  const path = find()
  if (path) return path
  throw new Error(`The tests in a browser need ${name}: apt-get install ${name}, or set CHROMIUM_PATH to a Chromium.`)
}

const isRoot = () => process.getuid?.() === 0
const isDebian = () => existsSync('/etc/debian_version') && readFileSync('/etc/debian_version', 'utf8') !== ''
