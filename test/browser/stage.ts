import type { BrowserContext, Browser as Chromium, Page } from 'playwright-core'
import type { Role } from '../../contract/dashboard/paths.ts'
import { buildDashboard } from '../support/built.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../support/client.ts'
import { memberOf } from '../support/dashboard.ts'
import { openChromium } from '../support/open-chromium.ts'

/** One server and a connection to the browser for a test file. */
export interface Stage {
  server: TestServer
  chromium: Chromium
  /**
   * The same tab for the whole file, now of a member with this role. Another window takes 3 s of CPU time, another tab in its
   * window 1.6 s.
   */
  tab(role: Role): Promise<Page>
  /** The tab on this page of production, by a link if it already is in the dashboard as a member with this role. */
  show(role: Role, path: string): Promise<Page>
  close(): Promise<void>
}

export async function openStage(options: TestServerOptions = {}): Promise<Stage> {
  await buildDashboard()
  const [server, chromium] = await Promise.all([startTestServer(options), openChromium()])
  let shared: Page | undefined
  let shown: Role | undefined
  const tab = async (role: Role) => {
    shown = undefined
    shared ??= await (await newWindow(chromium)).newPage()
    const { cookie } = await memberOf(server, role)
    const [name, value] = (cookie as string).split('=') as [string, string]
    await shared.context().addCookies([{ name, value, url: server.url }])
    return shared
  }
  const show = async (role: Role, path: string) => {
    const environment = `${server.url}/app/production`
    if (shared && shown === role && shared.url().startsWith(environment)) {
      await go(shared, `/production${path}`)
      return shared
    }
    const page = await tab(role)
    await load(page, environment + path)
    shown = role
    return page
  }
  return {
    server,
    chromium,
    tab,
    show,
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
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    // Nothing goes on in a page whose dialog nobody answers.
    void dialog.dismiss().catch(() => {})
  })
  page.on('console', (message) => {
    // An answer that is no success is noted by the browser itself; whether it is right is the page's test.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  return problems
}

/** Loads a page of the dashboard by its address. */
export async function load(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await settled(page)
}

/**
 * Goes to another page, as a link does. A load of the dashboard takes 0.75 s of CPU time, this 0.2 s. `path` begins with the
 * environment. All of it is one call of the browser: each takes 10 ms.
 */
export async function go(page: Page, path: string): Promise<void> {
  // TanStack Router offers itself under this name. The promise resolves when the page is rendered.
  await page.evaluate(`(async () => {
    await __TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })
    while (!document.querySelector('h1') || document.querySelector('.loading'))
      await new Promise((resolve) => setTimeout(resolve, 20))
  })()`)
}

/** Until nothing on the page is loading any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}
