import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserType, Page } from 'playwright-core'
import { TARGET_TIMEOUT_MS } from '../../../contract/content/render.ts'
import { StartupError } from '../../startup-error.ts'
import { UsageError } from '../command.ts'

const EVERY_MS = 250
const LOAD_MS = 30_000

type Counts = ReadonlyMap<string, number>

export function checkPage(address: string): void {
  if (!/^https?:\/\//.test(address) || !URL.canParse(address))
    throw new UsageError(`${address} is not the address of a page, such as https://app.example.com/.`)
}

/** How many elements each locator finds in a page, by the code of the script. It looks again until it is enough, for as long as a step does. */
export async function countInPage(
  address: string,
  program: string | undefined,
  locators: readonly string[],
  isEnough: (counts: Counts) => boolean,
): Promise<Counts> {
  const code = await readLocate()
  const browser = await launch(await loadChromium(), program)
  try {
    const page = await browser.newPage()
    await page.goto(address, { timeout: LOAD_MS }).catch((error: Error) => {
      throw new StartupError(`${address} cannot be opened: ${error.message.split('\n', 1)[0]}`)
    })
    return await poll(page, code, locators, isEnough)
  } finally {
    await browser.close()
  }
}

async function poll(page: Page, code: string, locators: readonly string[], isEnough: (counts: Counts) => boolean) {
  const begun = performance.now()
  for (;;) {
    // A page that navigates meanwhile is asked again.
    const found = await page
      .evaluate<number[]>(`${code}\nusherScript.count(${JSON.stringify(locators)})`)
      .catch(() => [])
    const counts = new Map(locators.map((locator, index) => [locator, found[index] ?? 0]))
    if (isEnough(counts) || performance.now() - begun >= TARGET_TIMEOUT_MS) return counts
    await sleep(EVERY_MS)
  }
}

async function readLocate(): Promise<string> {
  try {
    return await readFile(new URL('../../../sdk/dist/locate.js', import.meta.url), 'utf8')
  } catch {
    throw new StartupError('The browser script is not built yet. Run: npm ci')
  }
}

/** Most installations never need it, so it is an optional peer dependency. */
async function loadChromium(): Promise<BrowserType> {
  const name = 'playwright-core'
  try {
    const { chromium } = (await import(name)) as typeof import('playwright-core')
    return chromium
  } catch {
    throw new StartupError('This command needs a package that is not installed. Run: npm install playwright-core')
  }
}

async function launch(chromium: BrowserType, program: string | undefined): Promise<Browser> {
  // As root, which is how containers run, Chromium's own sandbox does not start.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const which = program === undefined ? { channel: 'chrome' } : { executablePath: program }
  return await chromium.launch({ ...which, args }).catch((error: Error) => {
    const why = error.message.split('\n', 1)[0]
    throw new StartupError(`Chromium does not start (${why}). Say where it is: --chromium /usr/bin/chromium`)
  })
}
