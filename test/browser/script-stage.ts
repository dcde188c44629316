import type { BrowserContext, Browser as Chromium, Page } from 'playwright-core'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { buildScript } from '../support/built.ts'
import { type HostPages, startHostPages } from '../support/host-pages.ts'
import { openChromium } from '../support/open-chromium.ts'
import { ScriptServer } from '../support/script-server.ts'
import { watch } from './stage.ts'

/** A server of the protocol, the pages of another origin, and one tab for a test file. */
export interface ScriptStage {
  usher: ScriptServer
  hosts: HostPages
  chromium: Chromium
  page: Page
  /** What the page must never have. Emptied by `open`. */
  problems: string[]
  /** Publishes these contents alone. All tabs are left first: a page of the test before would claim them too. */
  show(...contents: RenderedContent[]): Promise<void>
  /** The tab on a page with this body, whose user is identified, unless `calls` says otherwise. */
  open(body: string, options?: OpenOptions): Promise<Page>
  window(): Promise<BrowserContext>
  close(): Promise<void>
}

export interface OpenOptions {
  page?: Page
  path?: string
  calls?: string
  headers?: Record<string, string>
  head?: string
}

export const IDENTIFIED = `usher.init('pk_test'); usher.identify('ada', { plan: 'growth' })`

export async function openScriptStage(openBrowser: () => Promise<Chromium> = openChromium): Promise<ScriptStage> {
  await buildScript()
  const usher = new ScriptServer()
  const [, hosts, chromium] = await Promise.all([usher.listen(), startHostPages(), openBrowser()])
  const window = async () => {
    const context = await chromium.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(120_000)
    return context
  }
  const page = await (await window()).newPage()
  const problems = watch(page)
  const show = async (...contents: RenderedContent[]) => {
    const tabs = chromium.contexts().flatMap((context) => context.pages())
    await Promise.all(tabs.map(async (tab) => await tab.goto('about:blank')))
    usher.clear(...contents)
  }
  const open = async (body: string, options: OpenOptions = {}) => {
    const tab = options.page ?? page
    problems.length = 0
    hosts.show({ html: hostPage(usher.url, body, options), headers: options.headers ?? {} })
    await tab.goto(hosts.url + (options.path ?? '/'))
    return tab
  }
  const close = async () => {
    await chromium.close()
    await Promise.all([usher.close(), hosts.close()])
  }
  return { usher, hosts, chromium, page, problems, show, open, window, close }
}

/** As a customer's page is: their own elements, the script of another origin, and their own calls. */
export function hostPage(usherUrl: string, body: string, { calls = IDENTIFIED, head = '' }: OpenOptions = {}): string {
  return `<!doctype html><html lang="en"><head><title>Kestrel</title>${head}<script nonce="host" src="${usherUrl}/sdk/usher.js"></script>
<script nonce="host">${calls}</script></head><body>${body}</body></html>`
}
