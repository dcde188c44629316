import { execFileSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type BrowserServer, chromium } from 'playwright-core'

/** The first has no windows, and takes a quarter less CPU time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const PACKAGE = 'chromium-headless-shell'

/** The system's Chromium. Debian's is installed when it is missing and this may do so. */
export async function launchChromium(): Promise<BrowserServer> {
  const executablePath = findChromium() ?? installChromium()
  // As root, which is how containers run, Chromium's own sandbox does not start.
  return await chromium.launchServer({ executablePath, args: isRoot() ? ['--no-sandbox'] : [] })
}

export function findChromium(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/snap/bin']
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
  const places = [
    process.env.CHROMIUM_PATH ?? '',
    ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))),
    mac,
  ]
  return places.find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return path !== ''
  } catch {
    return false
  }
}

function installChromium(): string {
  if (isRoot() && isDebian()) {
    execFileSync('apt-get', ['update'], { stdio: 'ignore' })
    const words = ['install', '-y', '--no-install-recommends', PACKAGE]
    execFileSync('apt-get', words, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  }
  const path = findChromium()
  if (!path)
    throw new Error(
      `The tests of the dashboard need Chromium: apt-get install ${PACKAGE}, or set CHROMIUM_PATH to the program.`,
    )
  return path
}

const isRoot = () => process.getuid?.() === 0
const isDebian = () => existsSync('/etc/debian_version') && readFileSync('/etc/debian_version', 'utf8') !== ''
