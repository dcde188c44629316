import { type Browser, chromium } from 'playwright-core'
import { inject } from 'vitest'
import { wholeChromium, withoutSandbox } from './chromium.ts'
import { askFor } from './on-demand.ts'

/**
 * The pages of tests are open for seconds. Code that is not optimized, and garbage collection and drawing without threads
 * and a process of their own, take about a tenth less CPU time for them. With more memory for new objects, and no
 * collections while a page is idle, it is a twentieth less again.
 */
const FOR_SHORT_PAGES = [
  '--js-flags=--no-opt --no-maglev --single-threaded-gc --min-semi-space-size=16 --no-memory-reducer',
  '--in-process-gpu',
]

let launched: Promise<Browser> | undefined

/**
 * The Chromium of this process, which the test files that run in it use one after the other. `close` closes
 * only its windows: a start takes 2 s of CPU time. One Chromium for all processes needs Playwright in a process between, which
 * took a tenth more CPU time in all.
 */
export async function openChromium(): Promise<Browser> {
  launched ??= launch()
  return await launched
}

async function launch(): Promise<Browser> {
  const executablePath = await askFor(inject('chromium'))
  const browser = await chromium.launch({ executablePath, args: [...withoutSandbox(), ...FOR_SHORT_PAGES] })
  browser.on('disconnected', () => {
    launched = undefined
  })
  browser.close = async () => {
    await Promise.all(browser.contexts().map(async (context) => await context.close()))
  }
  return browser
}

/** A Chromium with windows that nobody sees: it keeps the pages that are left for the way back, which the other one cannot. */
export async function launchKeepingChromium(): Promise<Browser> {
  return await chromium.launch({
    executablePath: wholeChromium(),
    args: [...withoutSandbox(), '--headless=new', '--enable-features=BackForwardCache'],
    ignoreDefaultArgs: ['--headless', '--disable-back-forward-cache'],
  })
}
