import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Browser as Chromium, Page } from 'playwright-core'
import type { Role } from '../../contract/dashboard/paths.ts'
import { buildDashboard } from '../support/built-dashboard.ts'
import { launchChromium } from '../support/chromium.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/client.ts'
import { memberOf } from '../support/dashboard.ts'

/** Where pictures of the pages are kept, when they are asked for by `USHER_PICTURES=all`. */
export const PICTURES = process.env.USHER_PICTURES
  ? fileURLToPath(new URL('../../node_modules/.cache/usher-pictures/', import.meta.url))
  : undefined

/** One server and one browser for a test file. */
export interface Stage {
  server: TestServer
  chromium: Chromium
  /** A browser's window of a member with this role. */
  signIn(role: Role): Promise<BrowserContext>
  /** The same tab for the whole file, now of a member with this role: another tab takes 2 s of CPU time. */
  tab(role: Role): Promise<Page>
  close(): Promise<void>
}

export async function openStage(options: TestServerOptions = {}): Promise<Stage> {
  await buildDashboard()
  if (PICTURES) await mkdir(PICTURES, { recursive: true })
  const [server, chromium] = await Promise.all([startTestServer(options), launchChromium()])
  const become = async (context: BrowserContext, role: Role) => {
    const { cookie } = await memberOf(server, role)
    const [name, value] = (cookie as string).split('=') as [string, string]
    await context.addCookies([{ name, value, url: server.url }])
  }
  let tab: Page | undefined
  return {
    server,
    chromium,
    signIn: async (role) => {
      const context = await newWindow(chromium)
      await become(context, role)
      return context
    },
    tab: async (role) => {
      tab ??= await (await newWindow(chromium)).newPage()
      await become(tab.context(), role)
      return tab
    },
    close: async () => {
      await chromium.close()
      await server.close()
    },
  }
}

export async function newWindow(chromium: Chromium): Promise<BrowserContext> {
  const context = await chromium.newContext({
    viewport: { width: 1440, height: 1000 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  // Several pages of a slow machine share its browser.
  context.setDefaultTimeout(120_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI))",
  )
  return context
}

/** What a page must never have: errors in its console, thrown errors, violations of the policy, dialogs. */
export function watch(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(`thrown: ${error.message}`))
  page.on('dialog', (dialog) => problems.push(`dialog: ${dialog.message()}`))
  page.on('console', (message) => {
    // An answer that is no success is noted by the browser itself; whether it is right is the page's test.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  return problems
}

/** Until nothing on the page is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}
