import { setTimeout as wait } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright-core'
import { buildScript } from '../../test/support/built.ts'
import { findChromium } from '../../test/support/chromium.ts'
import { startHostPages } from '../../test/support/host-pages.ts'
import { flow, launcher, step, target } from '../../test/support/rendered.ts'
import { profileScript } from '../../test/support/script-profile.ts'
import { ScriptServer } from '../../test/support/script-server.ts'
import { median } from '../median.ts'
import { FIRST_TOOLTIP, hostPage, type Load, MANY_ELEMENTS, ONE_ELEMENT } from './pages.ts'

/**
 * `npm run bench:script`: what the script costs the page that carries it, in Chromium, on a page of another origin. The server
 * is one of the tests, which answers at once. Tasks are measured by processor time. Bounded in count and time; everything is
 * on this machine.
 */
const LOADS = 15
const PROFILES = 5
const PROFILE_MS = 3_000
const TIMEOUT_MS = 30_000

const write = (text: string) => void process.stdout.write(`${text}\n`)

await buildScript()
const [usher, hosts] = [new ScriptServer(), await startHostPages()]
await usher.listen()
const browser = await launch()
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  page.setDefaultTimeout(TIMEOUT_MS)
  await measure(page)
} finally {
  await browser.close()
  await Promise.all([usher.close(), hosts.close()])
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error('There is no Chromium: set CHROMIUM_PATH to one.')
  return await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] })
}

async function measure(page: Page): Promise<void> {
  const loads: Load[] = []
  for (let load = 0; load < LOADS; load += 1) loads.push(await firstTooltip(page))
  const beyond = loads.map(({ totalMs, tripsMs }) => totalMs - tripsMs)
  const all = median(loads.map(({ totalMs }) => totalMs))
  write(`from script start to first tooltip, beyond the round trips (at most 100 ms), ${LOADS} loads`)
  write(`  median ${ms(median(beyond))}, longest ${ms(Math.max(...beyond))}; with them ${ms(all)}`)
  write('layout shift caused by loading it (0)')
  write(`  ${Math.max(...loads.map(({ shift }) => shift))}`)

  const first = []
  for (let load = 0; load < PROFILES; load += 1) first.push(await profileScript(page, () => open(page, MANY_ELEMENTS)))
  const busy = await profiles(page)
  write('longest task of ours on a page of 5,000 elements with mutations (at most 50 ms), and our share of the time')
  write(`  ${PROFILES} loads up to the tooltip: ${longest(first)}`)
  write(`  ${PROFILES} times ${PROFILE_MS / 1_000} s afterwards: ${longest(busy)}; ${share(busy)}`)

  for (const [words, body] of [
    ['with a tooltip', ONE_ELEMENT],
    ['on which nothing is shown', '<main>Nothing to point at</main>'],
  ] as const) {
    await open(page, body)
    write(`CPU on a page ${words} and nothing happens (at most 1 %)`)
    write(`  ${share(await profiles(page))}`)
  }
}

async function firstTooltip(page: Page): Promise<Load> {
  await open(page, ONE_ELEMENT)
  return (await page.evaluate(FIRST_TOOLTIP)) as Load
}

/** A flow whose tooltip is found by the last of four locators, and a launcher that finds nothing. */
async function open(page: Page, body: string): Promise<void> {
  await page.goto('about:blank')
  const locators = ['role=button[name="Never"]', 'text=Nowhere', 'testid=never', 'testid=a']
  const help = { ...launcher(), id: 'c2', target: target('', { locators: locators.slice(0, 3) }) }
  usher.clear(flow([step('a', { target: target('', { locators }) })]), help as never)
  hosts.show({ html: hostPage(usher.url, body) })
  await page.goto(hosts.url)
  if (body.includes('data-testid="a"')) await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  else await page.waitForFunction('usher.isIdentified() === true')
}

async function profiles(page: Page) {
  const list = []
  for (let one = 0; one < PROFILES; one += 1) list.push(await profileScript(page, () => wait(PROFILE_MS)))
  return list
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`
}

function longest(list: readonly { longestMs: number }[]): string {
  const all = list.map(({ longestMs }) => longestMs)
  return `median ${ms(median(all))}, longest ${ms(Math.max(...all))}`
}

function share(list: readonly { share: number }[]): string {
  return `${(100 * median(list.map((one) => one.share))).toFixed(2)} %`
}
