import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { IDENTIFIED, openScriptStage, type ScriptStage } from '../browser/script-stage.ts'
import { flow, heading, step } from '../support/rendered.ts'

/** What the script costs a page on which nothing happens. Figures: sdk/README.md. */
const SECONDS = 60
const BODY = `<main>${Array.from({ length: 1_000 }, (_, index) => `<p>Row ${index} <button>Do</button></p>`).join('')}</main>`

let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

/** CPU time of the page's main thread in a minute, in milliseconds, after five seconds of rest. */
async function minute(contents: RenderedContent[], calls: string): Promise<number> {
  await stage.show(...contents)
  const page = await (await stage.window()).newPage()
  await stage.open(BODY, { page, calls })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0
  }
  await sleep(5_000)
  const before = await spent()
  await sleep(SECONDS * 1_000)
  const ms = ((await spent()) - before) * 1_000 * (60 / SECONDS)
  await page.context().close()
  return Math.round(ms)
}

const elsewhere = {
  ...flow([step('w', { type: 'dialog', blocks: [heading('Welcome')] })]),
  decided: { where: { url: '/elsewhere' } },
}

it.each([
  ['nothing is published', []],
  ['all content belongs to other pages', [elsewhere]],
  ['a tooltip waits for an element that never comes', [flow([step('absent')])]],
])('costs less than 1 %% of a core while %s', async (name, contents) => {
  const without = await minute([], '')
  const cost = (await minute(contents, IDENTIFIED)) - without
  console.log(`${name}: ${cost} ms of CPU time a minute, beside ${without} of the page without the script`)
  expect(cost).toBeLessThan(600)
})
