import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
let browser: Browser
beforeAll(async () => {
  server = await startTestServer()
  browser = await launchChromium()
})
afterAll(async () => {
  await browser.close()
  await server.close()
})

async function open(path: string, options: Parameters<Browser['newContext']>[0]): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(async () => await context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())))
  onTestFinished(() => expect(problems).toEqual([]))
  await page.goto(server.client.url + path)
  return page
}

const narrow = { viewport: { width: 375, height: 812 } }
const wide = { viewport: { width: 1440, height: 900 } }
const settings = '/docs/settings'

it.each(['/docs', '/docs/reference/users', '/docs/errors', settings, '/docs/guides/production'])(
  'at 375 pixels %s is no wider than the window, light and dark, with and without script',
  async (path) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await open(path, { ...narrow, colorScheme })
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375)
      const silent = await open(path, { ...narrow, colorScheme, javaScriptEnabled: false })
      expect(await silent.locator('main').innerText()).toBe(await page.locator('main').innerText().then(withoutButtons))
    }
  },
)

/** The script adds buttons; the text is the same. */
const withoutButtons = (text: string) => text.replaceAll(/\n+Copy(?=\n|$)/g, '')

it('at 375 pixels each setting is below its name, and nothing is cut off', async () => {
  const page = await open(settings, narrow)
  const cells = page.locator('.fields td')
  expect(await cells.count()).toBeGreaterThan(50)
  for (const box of await Promise.all((await cells.all()).map(async (cell) => await cell.boundingBox())))
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(375)
})

it('marks the page and the section that is being read', async () => {
  const page = await open('/docs/guides/production', wide)
  expect(await page.locator('nav a[aria-current="page"]').innerText()).toBe('Run it in production')
  const section = page.locator('aside a[aria-current="location"]')
  expect(await section.innerText()).toBe('Settings that matter in production')
  await page.evaluate("document.getElementById('backups').scrollIntoView({ behavior: 'instant' })")
  await expect.poll(async () => await section.innerText()).toBe('Backups')
})

it('finds a page by its words without a request to another host, by keyboard alone', async () => {
  const page = await open('/docs', wide)
  const hosts = new Set<string>()
  page.on('request', (request) => void hosts.add(new URL(request.url()).host))
  await page.keyboard.press('/')
  await page.keyboard.type('idempotency key')
  await page.locator('#results a', { hasText: 'Idempotency-Key' }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/idempotency|retry/i)
  expect([...hosts]).toEqual([new URL(server.client.url).host])
})
