import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EveryPage, fail, GATES, openEveryPage, PAGES, STATES } from '../browser/every-page.ts'
import { axe, LOOKS, type Look, look, nameOf } from '../browser/looks.ts'
import { picture } from '../browser/pictures.ts'
import { load, watch } from '../browser/stage.ts'

/** Each theme in each width. */
const ALL_LOOKS: readonly Look[] = LOOKS.flatMap(({ width }) => LOOKS.map(({ theme }) => ({ width, theme })))

let pages: EveryPage
beforeAll(async () => {
  pages = await openEveryPage()
})
afterAll(async () => await pages.stage.close())

/** What is wrong with a page, in each look. */
async function inspect(page: Page, name: string): Promise<string[]> {
  const problems: string[] = []
  for (const wanted of ALL_LOOKS) {
    problems.push(...(await look(page, wanted)))
    problems.push(...(await axe(page)).map((finding) => `${name}, ${nameOf(wanted)}: ${finding}`))
    await picture(page, `${name} ${nameOf(wanted)}`)
  }
  return problems
}

describe.each(STATES)('with %s', (state) => {
  let page: Page
  let problems: string[]
  beforeAll(async () => {
    page = await pages.stage.tab('owner')
    problems = watch(page)
    if (state === 'failing') await fail(page)
  })
  afterAll(async () => await page.unrouteAll())

  it.for(Object.keys(PAGES))(
    '%s, loaded by its address, is readable, fits, and breaks no rule of the policy',
    async (name) => {
      problems.length = 0
      await load(page, `${pages.stage.server.url}/app${pages.pathOf(name, state)}`)
      expect(await page.locator('h1').count()).toBe(1)
      problems.push(...(await inspect(page, `${name} ${state}`)))
      expect(problems).toEqual([])
    },
  )
})

it('the pages before sign-in are readable, fit, and break no rule of the policy', async () => {
  const page = await pages.stage.tab('viewer')
  await page.context().clearCookies()
  const problems = watch(page)
  for (const [address, heading] of Object.entries(GATES)) {
    await page.goto(`${pages.stage.server.url}/app/${pages.gate(address)}`)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    problems.push(...(await inspect(page, heading)))
  }
  expect(problems).toEqual([])
})
