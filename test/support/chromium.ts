import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserServer, chromium } from 'playwright-core'

const WHOLE_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** The first has no windows, and takes a quarter less CPU time. */
const NAMES = ['chromium-headless-shell', ...WHOLE_NAMES]
const PACKAGE = 'chromium-headless-shell'
/**
 * The pages of tests are open for seconds. Code that is not optimized, and garbage collection and drawing without threads
 * and a process of their own, take about a tenth less CPU time for them.
 */
const FOR_SHORT_PAGES = ['--js-flags=--no-opt --no-maglev --max-lazy --single-threaded-gc', '--in-process-gpu']

/** The system's Chromium. Debian's is installed when it is missing and this may do so. */
export async function launchChromium(): Promise<BrowserServer> {
  const executablePath = findChromium() ?? install(PACKAGE, findChromium)
  return await chromium.launchServer({ executablePath, args: [...sandbox(), ...FOR_SHORT_PAGES] })
}

/** A Chromium with windows that nobody sees: it keeps the pages that are left for the way back, which the other one cannot. */
export async function launchKeepingChromium(): Promise<Browser> {
  const find = () => findProgram(WHOLE_NAMES)
  return await chromium.launch({
    executablePath: find() ?? install('chromium', find),
    args: [...sandbox(), '--headless=new', '--enable-features=BackForwardCache'],
    ignoreDefaultArgs: ['--headless', '--disable-back-forward-cache'],
  })
}

/** As root, which is how containers run, Chromium's own sandbox does not start. */
const sandbox = () => (isRoot() ? ['--no-sandbox'] : [])

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
