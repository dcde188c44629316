import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import type { FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { buildScript } from '../support/built.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { axe } from './looks.ts'
import { seed } from './seed.ts'
import { openStage, type Stage, watch } from './stage.ts'

/** The parts of the studio that journeys through it do not touch, on one server and in one tab. */
const environment = 'production'
const asked = starters[3]?.document as FlowDocument
let stage: Stage
let owner: Browser
let page: Page
let problems: string[]
beforeAll(async () => {
  await buildScript()
  stage = await openStage()
  await seed(stage.server)
  owner = await memberOf(stage.server, 'owner')
})
afterAll(async () => await stage.close())

const create = async (document: object) =>
  (await owner.call('createContent', { environment, document: document as FlowDocument })).id
const draftOf = async (id: string) => (await owner.call('getContent', { environment, content_id: id })).draft.document
const option = async (name: string | RegExp) => await page.getByRole('option', { name }).first().click()

it('rows are about content, answers, times and exact numbers, and are dragged between groups', async () => {
  await create({ ...asked, key: 'nps', name: 'Ask' })
  const id = await create({ ...(starters[0]?.document as FlowDocument), key: 'ruled', who: undefined })
  page = await stage.show('member', `/content/${id}/who`)
  page.setDefaultTimeout(15_000)
  problems = watch(page)
  const who = page.getByRole('group', { name: 'Who', exact: true })
  const add = async (search: string, name: string | RegExp) => {
    await who.getByRole('button', { name: 'Condition', exact: true }).first().click()
    await page.getByPlaceholder('Search…').fill(search)
    await option(name)
  }
  await add('Content', /^Content/)
  await who.getByRole('combobox', { name: 'Content: …' }).click()
  await option(/^Ask/)
  await add('recommend', /recommend/)
  await who.getByRole('combobox', { name: 'Operator: …' }).click()
  await option('is at least')
  await who.getByRole('button', { name: 'Value: …' }).click()
  await page.getByRole('textbox', { name: 'Value' }).fill('9')
  await page.keyboard.press('Enter')
  await add('task', /^task_completed/)
  await who.getByRole('combobox', { name: 'How often: at least' }).click()
  await option('exactly')
  await add('Time', /^Time/)
  await who.getByRole('combobox', { name: 'Operator: is after' }).click()
  await option('is on, from')
  await who.getByRole('button', { name: /^Weekdays: Mon/ }).click()
  await page.getByRole('button', { name: 'Fri', exact: true }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('task_completed happened exactly once in the last 30 days').waitFor()
  const event = { event: 'task_completed', within: '30d' }
  const rule = async () => (await draftOf(id)).who
  await expect.poll(rule).toEqual({
    all: [
      { content: 'nps', is: 'completed' },
      { answer: 'nps', question: 'recommend', is: 'at_least', value: 9 },
      {
        all: [
          { ...event, at_least: 1 },
          { ...event, at_most: 1 },
        ],
      },
      expect.objectContaining({ weekdays: ['mon', 'tue', 'wed', 'thu'], from: '09:00', to: '17:00' }),
    ],
  })
  // A group, and a row that is dragged into it.
  await who.getByRole('button', { name: 'Group', exact: true }).click()
  await page.keyboard.press('Escape')
  const row = who.locator('.cond', { hasText: 'has completed' })
  await row.dragTo(who.locator('.addli').first(), { sourcePosition: { x: 400, y: 10 } })
  await expect
    .poll(async () => ((await rule()) as { all: Condition[] }).all.at(-1))
    .toEqual({
      any: [{ content: 'nps', is: 'completed' }],
    })
  expect(await axe(page)).toEqual([])
  expect(problems).toEqual([])
})
