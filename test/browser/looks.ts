import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'

export interface Look {
  width: number
  theme: 'light' | 'dark'
}

/** Both themes and both widths. */
export const LOOKS: readonly [Look, Look] = [
  { width: 1440, theme: 'light' },
  { width: 375, theme: 'dark' },
]

export const nameOf = ({ width, theme }: Look) => `${theme}, ${width} px`

/** Gives the page this look. Answers what is wrong: a page must not be wider than its window. */
export async function look(page: Page, wanted: Look): Promise<string[]> {
  if (page.viewportSize()?.width !== wanted.width) await page.setViewportSize({ width: wanted.width, height: 900 })
  await page.emulateMedia({ colorScheme: wanted.theme })
  const wide = await finalWidth(page, wanted.width)
  return wide > wanted.width ? [`${nameOf(wanted)}: ${wide} px wide`] : []
}

/** How wide the page is. Charts follow the width of the window a moment later. */
async function finalWidth(page: Page, most: number): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
    if (wide <= most || tries === 100) return wide
    await sleep(50)
  }
}

/** A view has one main action. Answers the labels where it has more. */
export async function mainActions(page: Page): Promise<string[]> {
  const labels = await page.locator('main .btn.primary').allInnerTexts()
  return labels.length > 1 ? [`main actions: ${labels.join(', ')}`] : []
}

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
const OPTIONS = JSON.stringify({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
  preload: false,
  selectors: false,
})

/** Findings of axe that are serious or critical, by the rules of WCAG 2.2 AA. */
export async function axe(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(await axeSource())
  return await page.evaluate<string[]>(`axe.run(document, ${OPTIONS})
    .then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 160)).join(' | ')))`)
}

let source: Promise<string> | undefined
async function axeSource(): Promise<string> {
  source ??= readFile(AXE, 'utf8')
  return await source
}
