import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { buildDashboard } from '../support/built.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { openChromium } from '../support/open-chromium.ts'

const NARROW = { width: 375, height: 812 }
const WIDE = { width: 1440, height: 900 }
const SETTINGS = '/docs/settings'

let server: TestServer
let browser: Browser
/** One tab with script and one without, for all tests: another tab takes 2 s of CPU time. */
let tab: Page
let silent: Page
const problems: string[] = []
beforeAll(async () => {
  // The site has the type of the built dashboard.
  await buildDashboard()
  ;[server, browser] = await Promise.all([startTestServer(), openChromium()])
  tab = await openTab({})
  silent = await openTab({ viewport: NARROW, javaScriptEnabled: false })
})
afterAll(async () => {
  await browser.close()
  await server.close()
})
afterEach(() => expect(problems.splice(0)).toEqual([]))

async function openTab(options: BrowserContextOptions): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage()
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  return page
}

async function open(path: string, viewport: typeof NARROW): Promise<Page> {
  await tab.setViewportSize(viewport)
  await tab.goto(server.client.url + path)
  return tab
}

it.each(['/docs', '/docs/reference/users', '/docs/errors', SETTINGS, '/docs/guides/production'])(
  'at 375 pixels %s is no wider than the window, light and dark, with and without script',
  async (path) => {
    const page = await open(path, NARROW)
    await silent.goto(server.client.url + path)
    for (const colorScheme of ['light', 'dark'] as const) {
      await Promise.all([page, silent].map((each) => each.emulateMedia({ colorScheme })))
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
      expect(await silent.locator('main').innerText()).toBe(await page.locator('main').innerText().then(withoutButtons))
    }
  },
)

/** The script adds buttons; the text is the same. */
const withoutButtons = (text: string) => text.replaceAll(/\n+Copy(?=\n|$)/g, '')

it('at 375 pixels each setting is below its name, and nothing is cut off', async () => {
  const page = await open(SETTINGS, NARROW)
  const ends = await page.evaluate<number[]>(
    "[...document.querySelectorAll('.fields td')].map((cell) => cell.getBoundingClientRect().right)",
  )
  expect(ends.length).toBeGreaterThan(50)
  expect(Math.max(...ends)).toBeLessThanOrEqual(375)
})

it('has the type of the dashboard, and a copy button at each block of code that covers none of it', async () => {
  const page = await open('/docs', WIDE)
  const fonts = `document.fonts.ready.then(() => [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family.replaceAll('"', '')))`
  expect((await page.evaluate<string[]>(fonts)).toSorted()).toEqual(['Geist Mono Variable', 'Inter Variable'])
  await page.mouse.move(0, 0)
  const blocks = await page.evaluate<
    { shown: string; gap: number }[]
  >(`[...document.querySelectorAll('.code')].map((block) => {
    const button = block.querySelector('.copy')
    const gap = button.getBoundingClientRect().left - block.querySelector('pre').getBoundingClientRect().right
    return { shown: getComputedStyle(button).opacity, gap }
  })`)
  expect(blocks.length).toBeGreaterThan(3)
  expect(blocks.filter(({ shown, gap }) => shown !== '1' || gap < 0)).toEqual([])
})

it('leads to the OpenAPI document by the reference', async () => {
  const page = await open('/docs', WIDE)
  expect(await page.locator('a[href="/openapi.json"]').count()).toBe(0)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.locator('main a[href="/openapi.json"]').waitFor()
})

it('marks the page and the section that is being read', async () => {
  const page = await open('/docs/guides/production', WIDE)
  expect(await page.locator('nav a[aria-current="page"]').innerText()).toBe('Run it in production')
  const section = page.locator('aside a[aria-current="location"]')
  const first = await page.locator('main h2').first().innerText()
  expect(await section.innerText()).toBe(first)
  expect(first).not.toBe('Backups')
  await page.evaluate("document.getElementById('backups').scrollIntoView({ behavior: 'instant' })")
  await expect.poll(async () => await section.innerText()).toBe('Backups')
})

it('finds a page by its words without a request to another host, by keyboard alone', async () => {
  const page = await open('/docs', WIDE)
  const hosts = new Set<string>()
  const note = (request: Request) => void hosts.add(new URL(request.url()).host)
  page.on('request', note)
  await page.keyboard.press('/')
  await page.keyboard.type('idempotency key')
  await page.locator('#results a', { hasText: 'Idempotency-Key' }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/idempotency|retry/i)
  page.off('request', note)
  expect([...hosts]).toEqual([new URL(server.client.url).host])
})

it('at 375 pixels the results of a search are within the window, and pages for users come before decisions', async () => {
  const page = await open('/docs', NARROW)
  await page.fill('#search', 'idempotency')
  const results = page.locator('#results a')
  await results.first().waitFor()
  const box = await page.locator('#results').boundingBox()
  expect([(box?.x ?? -1) >= 0, (box?.x ?? 0) + (box?.width ?? 376) <= 375]).toEqual([true, true])
  expect(await results.first().getAttribute('href')).not.toContain('/docs/decisions')
})

it.each([
  ['USHER_DEMO', SETTINGS],
  ['who_not_met', '/docs/troubleshooting#codes-of-receipts'],
  ['exempt_from_quiet', '/docs/document#every-type'],
])('%s is found where it is explained', async (name, address) => {
  const page = await open('/docs', WIDE)
  await page.fill('#search', name)
  const results = page.locator('#results a')
  await results.first().waitFor()
  const found = await results.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  expect(found[0]).toBe(address)
})
