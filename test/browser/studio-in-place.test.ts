import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ChecklistDocument, FlowDocument } from '../../contract/content/document.ts'
import { buildScript } from '../support/built.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { type HostPages, startHostPages } from '../support/host-pages.ts'
import { openPublicSide } from '../support/page.ts'
import { axe } from './looks.ts'
import { hostPage } from './script-stage.ts'
import { go, openStage, type Stage, watch } from './stage.ts'

/** The editor and a page of the application beside it, as a member has them. */
const environment = 'production'
const flow = {
  key: 'export',
  type: 'flow',
  name: 'Export',
  who: { all: [{ attribute: 'seats', is: 'at_least', value: 5 }] },
  steps: [
    {
      key: 'hello',
      type: 'dialog',
      blocks: [{ heading: 'Hello {{ user.name | there }}' }],
      buttons: [{ label: 'On', style: 'primary', do: [{ next: true }] }],
    },
    {
      key: 'branch',
      type: 'hidden',
      advance: [
        { on: 'condition', condition: { attribute: 'role', is: 'equals', value: 'owner' }, to: 'share' },
        { on: 'otherwise', end: 'dismissed' },
      ],
      timeout: { after: '60s', to: 'share' },
    },
    {
      key: 'share',
      type: 'tooltip',
      target: { locators: ['css=.old > button'] },
      blocks: [{ heading: 'Share it' }],
      buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
    },
  ],
} as FlowDocument

let stage: Stage
let hosts: HostPages
let owner: Browser
let page: Page
let problems: string[]
let id: string
beforeAll(async () => {
  await buildScript()
  ;[stage, hosts] = await Promise.all([openStage(), startHostPages()])
  const { server } = stage
  const { token } = await openPublicSide(server.services, server.environmentId)
  owner = await memberOf(server, 'owner')
  const ada = { id: 'ada', attributes: { name: 'Ada Okafor', seats: 3, role: 'owner' } }
  await server.client.post('/users', ada)
  ;({ id } = await owner.call('createContent', { environment, document: flow }))
  const body = '<main><h1>Reports</h1><div class="old"><button data-testid="export">Export</button></div></main>'
  hosts.show({ html: hostPage(server.url, body, { calls: `usher.init(${JSON.stringify(token)})` }) })
  page = await stage.show('member', `/content/${id}/steps?step=share`)
  problems = watch(page)
})
afterAll(async () => {
  await stage.close()
  await hosts.close()
})

/** The tab that a click opens. */
async function opened(click: () => Promise<void>): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent('page'), click()])
  await tab.getByRole('dialog', { name: 'Usher' }).waitFor()
  return tab
}

it('Pick asks where the application is, the page offers an element, and the editor puts it into the draft', async () => {
  await page.getByRole('button', { name: 'Pick' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pick in your app' })
  const address = dialog.getByRole('textbox', { name: 'Page of your application' })
  await address.fill('https://elsewhere.example/')
  await dialog.getByRole('button', { name: 'Open the page' }).click()
  await dialog.getByText('allow the origin first').waitFor()
  expect(await axe(page)).toEqual([])
  await address.fill(`${hosts.url}/reports`)
  const tab = await opened(() => dialog.getByRole('button', { name: 'Open the page' }).click())
  await page.getByText('What you pick is offered here.').waitFor()
  await tab.getByRole('button', { name: 'Export' }).click()
  await tab.getByRole('button', { name: 'Use this element' }).click()
  await tab.getByText('The element is offered').waitFor()
  await tab.close()
  const strip = page.getByRole('alert')
  await strip.getByText('Picked for step 3').waitFor()
  await strip.getByText('testid=export').waitFor()
  expect(await axe(page)).toEqual([])
  await strip.getByRole('button', { name: 'Use it' }).click()
  await strip.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo: pick the element of step 3' }).waitFor()
  await expect
    .poll(async () => {
      const { draft } = await owner.call('getContent', { environment, content_id: id })
      return JSON.stringify(draft.document)
    })
    .toContain('"locators":["testid=export","role=button[name=\\"Export\\"]"')
})

it('the path of a user is drawn with the reason for its branch, and the picture shows their values', async () => {
  await page.getByRole('combobox', { name: 'Path of: nobody' }).click()
  await page.getByRole('combobox', { name: 'Search: Path of' }).fill('ada')
  await page.getByRole('option', { name: 'Ada Okafor' }).click()
  const path = page.getByRole('list', { name: 'Path of Ada Okafor' })
  await path.waitFor()
  expect(await path.getByRole('button').allInnerTexts()).toEqual(['1', '2', '3'])
  await page.getByText('Step 3, since role is "owner". Not shown: seats is 3').waitFor()
  await path.getByRole('button', { name: 'Step 1' }).click()
  await page.frameLocator('iframe.preview').getByRole('heading', { name: 'Hello Ada Okafor' }).waitFor()
  expect(page.url()).toContain('as=ada')
  expect(await axe(page)).toEqual([])
})

it('Preview opens the draft in the application, as a user with the receipt beside it', async () => {
  const plain = await opened(() => page.getByRole('button', { name: 'Open in your app' }).click())
  await plain.getByRole('heading', { name: 'Hello there' }).waitFor()
  await plain.close()
  await page.getByRole('button', { name: 'More ways to preview' }).click()
  await page.getByRole('menuitem', { name: 'As a user, or on another page…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview in your app' })
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Ada Okafor' }).click()
  const tab = await opened(() => dialog.getByRole('button', { name: 'Open the page' }).click())
  await tab.getByRole('heading', { name: 'Hello Ada Okafor' }).waitFor()
  const bar = tab.getByRole('dialog', { name: 'Usher' })
  await bar.getByText('As Ada Okafor').waitFor()
  await bar.getByText('Not shown: seats is 3').first().waitFor()
  await bar.getByText('Why, in full').click()
  await bar.getByText('✕ Who').waitFor()
  await tab.close()
  expect(problems).toEqual([])
})

it('a checklist is drawn as a user, with what they have done and whether they would see it', async () => {
  const tasks = [
    { key: 'own', name: 'Own it', complete_when: { attribute: 'role', is: 'equals', value: 'owner' } },
    { key: 'seats', name: 'Take {{ user.seats | some }} seats' },
    { key: 'late', name: 'Read the guide' },
  ]
  const document = { key: 'started', type: 'checklist', name: 'Get started', starts_open: true, tasks }
  const { id: list } = await owner.call('createContent', { environment, document: document as ChecklistDocument })
  await go(page, `/production/content/${list}/steps`)
  const picture = page.frameLocator('iframe.preview')
  await picture.getByText('Take some seats').waitFor()
  await page.getByRole('combobox', { name: 'As: nobody' }).click()
  await page.getByRole('combobox', { name: 'Search: As' }).fill('ada')
  await page.getByRole('option', { name: 'Ada Okafor' }).click()
  await picture.getByText('Take 3 seats').waitFor()
  await picture.getByText('1 of 3 done').waitFor()
  await page.getByText('Would be shown on their next page.').waitFor()
  expect(page.url()).toContain('as=ada')
  expect(await axe(page)).toEqual([])
  expect(problems).toEqual([])
})

it('a viewer may look at paths, and opens nothing', async () => {
  page = await stage.show('viewer', `/content/${id}/steps?step=share&as=ada`)
  await page.getByRole('list', { name: 'Path of Ada Okafor' }).waitFor()
  for (const name of ['Pick', 'Preview', 'Open in your app'])
    expect(await page.getByRole('button', { name, exact: true }).getAttribute('aria-disabled')).toBe('true')
  await go(page, `/production/content/${id}/who`)
})
