import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import type { ChecklistDocument, FlowDocument } from '../../contract/content/document.ts'
import { emptyDocument, starters } from '../../contract/content/starters.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { buildScript } from '../support/built.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { axe } from './looks.ts'
import { seed } from './seed.ts'
import { go, load, openStage, type Stage, watch } from './stage.ts'

/** The parts of the studio that journeys through it do not touch, on one server and in one tab. */
const environment = 'production'
const asked = starters[3]?.document as FlowDocument
let stage: Stage
let owner: Browser
let page: Page
let problems: string[]
let branchedId: string
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
/**
 * Clicks the last element with this selector, once in each frame until it is disabled, and at most `most` times. Answers how
 * often. All of it is one call of the browser: a click of Playwright takes 40 ms of CPU time.
 */
const clickInFrames = async (selector: string, most: number) =>
  await page.evaluate<number>(`(async () => {
    const element = [...document.querySelectorAll('${selector}')].at(-1)
    let clicks = 0
    for (; clicks < ${most} && element.ariaDisabled !== 'true'; clicks += 1) {
      element.click()
      await new Promise(requestAnimationFrame)
    }
    return clicks
  })()`)
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
  // A field that is no part of the draft keeps its own undo.
  const check = page.getByRole('searchbox', { name: 'Id, e-mail or name' })
  await check.press('a')
  await check.press('Control+z')
  expect(await check.inputValue()).toBe('')
  expect(await page.getByRole('button', { name: 'Redo', exact: true }).getAttribute('aria-disabled')).toBe('true')
  // A figure that is typed is taken back by the undo of the draft, also in its field.
  const seconds = page.getByRole('textbox', { name: 'Seconds to wait' })
  const before = await seconds.inputValue()
  await seconds.fill('30')
  await seconds.press('Control+z')
  expect(await seconds.inputValue()).toBe(before)
  await seconds.press('Control+Shift+z')
  expect(await seconds.inputValue()).toBe('30')
  await page.getByRole('textbox', { name: 'Priority, 0 to 100' }).fill('')
  expect(await page.getByRole('textbox', { name: 'Priority, 0 to 100' }).inputValue()).toBe('')
  expect(await axe(page)).toEqual([])
  expect(problems).toEqual([])
})

it('examples that could not be loaded are asked for again by a button', async () => {
  const samples = '**/conditions/samples'
  await page.route(samples, (route) => route.abort())
  const id = await create({ ...asked, key: 'examples', who: { attribute: 'plan', is: 'equals', value: 'growth' } })
  await go(page, `/production/content/${id}/who`)
  const beside = page.getByRole('complementary', { name: 'Who matches now' })
  await beside.getByText('The examples could not be loaded: ').waitFor()
  await page.unroute(samples)
  await beside.getByRole('button', { name: 'Try again' }).click()
  await beside
    .getByRole('link', { name: /Ada Okafor/ })
    .first()
    .waitFor()
})

it('a new button of a banner completes it, and a question is no block of it', async () => {
  const id = await create({ key: 'news', type: 'banner', name: 'News', blocks: [{ text: 'Reports are new.' }] })
  await go(page, `/production/content/${id}/steps`)
  await page.getByRole('button', { name: 'Add a button' }).click()
  const buttons = [{ label: 'Got it', do: [{ end: 'completed' }] }]
  await expect.poll(async () => await draftOf(id)).toMatchObject({ buttons })
  expect(await page.locator('.adds').innerText()).toMatch(/Video\s+Line/)
})

const branched = {
  key: 'branched',
  type: 'flow',
  name: 'Branched',
  who: { all: [{ attribute: 'plan', is: 'equals', value: 'growth' }] },
  steps: [
    { key: 'hello', type: 'dialog', blocks: [{ heading: 'Hello' }], buttons: [{ label: 'On', do: [{ next: true }] }] },
    {
      key: 'wait',
      type: 'hidden',
      advance: [
        { on: 'condition', condition: { attribute: 'plan', is: 'equals', value: 'growth' }, to: 'grown' },
        { on: 'otherwise', to: 'other' },
      ],
      timeout: { after: '60s', to: 'end' },
    },
    ...['grown', 'other', 'end'].map((key) => ({
      key,
      type: 'dialog',
      blocks: [{ heading: `Part ${key}` }],
      buttons: [{ label: 'On', do: [key === 'grown' ? { go_to: 'end' } : { next: true }] }],
    })),
  ],
}

const FINGERS = { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true }

it('branches are indented, ↵ edits a title, a click in the picture its text, and all of it can be undone', async () => {
  const id = await create(branched)
  branchedId = id
  page = await stage.show('admin', `/content/${id}/steps?step=grown`)
  problems = watch(page)
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await steps.getByText('both go on').waitFor()
  expect(await steps.locator('.branch .nr').allInnerTexts()).toEqual(['3', '4'])
  await steps.getByRole('link', { name: /Part grown/ }).press('Enter')
  await page.getByRole('textbox', { name: 'Title of step 3' }).fill('For growth')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo: rename step 3' }).waitFor()
  const picture = page.frameLocator('iframe.preview')
  await picture.getByRole('heading', { name: 'For growth' }).click()
  expect(await picture.locator('html').evaluate(`getComputedStyle(document.documentElement).scrollbarWidth`)).toBe(
    'none',
  )
  const heading = page.getByRole('textbox', { name: 'Heading, block 1' })
  const edited = `document.activeElement?.closest('[data-block]')?.dataset.block`
  await expect.poll(() => page.evaluate<string>(edited)).toBe('0')
  // 105 changes, of which the last 100 can be undone.
  await page.locator('.tick-row input').last().click()
  expect(await clickInFrames('.tick-row input', 104)).toBe(104)
  await page.getByRole('button', { name: /^Undo: / }).click()
  expect(await clickInFrames('[aria-label^=Undo]', 110)).toBe(99)
  await page.getByRole('button', { name: /^Redo: / }).click()
  expect(await axe(page)).toEqual([])
  // Where three columns do not fit, the inspector is a drawer.
  // 720 is a screen of 1440 at 200 %: what can be edited there without the zoom can be edited with it.
  for (const width of [1000, 720]) {
    await page.setViewportSize({ width, height: 800 })
    expect(await heading.isVisible()).toBe(false)
    const edit = page.getByRole('button', { name: 'Edit', exact: true })
    await edit.press('Enter')
    // The next key is one of the drawer, and after it one of the page where it was opened.
    await expect.poll(() => page.evaluate<boolean>("document.activeElement?.closest('.insp') !== null")).toBe(true)
    await heading.fill(`At ${width}`)
    await page.keyboard.press('Escape')
    await heading.waitFor({ state: 'hidden' })
    await edit.and(page.locator(':focus')).waitFor()
  }
  await steps.getByRole('button', { name: 'Dialog', exact: true }).waitFor()
  const state = await page.context().storageState()
  const phone = await stage.chromium.newContext({ ...FINGERS, storageState: state })
  const held = await phone.newPage()
  await load(held, page.url())
  await held.getByText('Editing is for larger screens.').waitFor()
  expect(await held.getByRole('button', { name: 'Edit', exact: true }).isVisible()).toBe(false)
  await phone.close()
  await page.setViewportSize({ width: 1440, height: 1000 })
  expect(problems).toEqual([])
})

it('blocks are moved, doubled and deleted by keys, and dragged', async () => {
  const blocks = [{ heading: 'One' }, { text: 'Two' }, { text: 'Three' }]
  const id = await create({ ...branched, key: 'blocks', steps: [{ ...branched.steps[0], blocks }] })
  page = await stage.show('admin', `/content/${id}/steps`)
  problems = watch(page)
  const textsOf = async () => {
    const { steps } = (await draftOf(id)) as FlowDocument
    return steps.flatMap((step) => ('blocks' in step ? step.blocks : [])).map((block) => Object.values(block)[0])
  }
  const handle = (index: number) => page.locator(`[data-block="${index}"] > .gly`)
  await handle(0).focus()
  // The focus goes with the block.
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => handle(1).evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(textsOf).toEqual(['Two', 'Three', 'One'])
  await page.keyboard.press('Control+d')
  await expect.poll(textsOf).toEqual(['Two', 'Three', 'One', 'One'])
  await expect.poll(() => handle(3).evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
  await page.keyboard.press('Backspace')
  await expect.poll(textsOf).toEqual(['Two', 'Three', 'One'])
  await handle(2).dragTo(handle(0))
  await expect.poll(textsOf).toEqual(['One', 'Two', 'Three'])
  // What stands at the ends of a scale can be changed, and left out.
  await page.getByRole('button', { name: 'Question', exact: true }).click()
  await page.getByRole('textbox', { name: 'Low end' }).fill('Never')
  await page.getByRole('textbox', { name: 'High end' }).fill('Always')
  await page.getByRole('textbox', { name: 'Low end' }).fill('')
  await expect
    .poll(async () => JSON.stringify(await draftOf(id)))
    .toContain('{"question":"question-1","kind":"nps","label":"","high":"Always"}')
  expect(problems).toEqual([])
})

it('a document is downloaded and pasted as JSON, and what is wrong with it is said', async () => {
  const id = branchedId
  page = await stage.show('admin', `/content/${id}/steps`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Paste or download as JSON' }).click()
  const dialog = page.getByRole('dialog')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('branched.json')
  const text = dialog.getByRole('textbox', { name: 'Document' })
  const use = dialog.getByRole('button', { name: 'Use this document' })
  // The keys of the page are not those of a dialog over it.
  await text.press('Control+Enter')
  for (const [wrong, words] of [
    ['{', 'This is not JSON'],
    ['{"type":"banner"}', 'the kind of content does not change'],
    [JSON.stringify({ ...branched, colour: 'red' }), 'colour'],
  ] as const) {
    await text.fill(wrong)
    await use.click()
    await dialog.getByRole('alert').filter({ hasText: words }).waitFor()
  }
  expect(page.url()).not.toContain('publish')
  await text.fill(JSON.stringify({ ...branched, key: 'elsewhere', name: 'Pasted' }))
  await use.click()
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(async () => (await draftOf(id)).name).toBe('Pasted')
  expect((await draftOf(id)).key).toBe('branched')
})

it('the publish dialog counts who matches before and after, and each number opens the list', async () => {
  const id = branchedId
  // A row that is not finished is in no document, and keeps from publishing.
  await go(page, `/production/content/${id}/who`)
  const rule = page.getByRole('group', { name: 'Who', exact: true })
  await rule.getByRole('button', { name: 'Condition', exact: true }).click()
  await option(/^seats/)
  await page.getByText('One row is not finished').waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('dialog').getByText('1 row to finish or to remove first').waitFor()
  const { draft } = await owner.call('getContent', { environment, content_id: id })
  const at = { environment, content_id: id }
  await owner.call('publishContent', { ...at, description: '', inside: 'finish', expected_draft: draft.revision })
  const who = { all: [{ attribute: 'seats', is: 'at_most', value: 35 }] } as Condition
  const now = (await owner.call('getContent', at)).draft
  await owner.call('saveDraft', { ...at, document: { ...now.document, who }, expected_draft: now.revision })
  await load(page, `${stage.server.url}/app/production/content/${id}/steps?publish=yes`)
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/^8 now, [45] after$/).waitFor()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('link', { name: /no longer match: show them/ }).click()
  await page.waitForURL(/\/users\?/)
  const table = page.getByRole('table', { name: 'Users' })
  await table.waitFor()
  expect(problems).toEqual([])
})

it('names and labels without spaces stay in their places, and the chosen one of thirty steps is in sight', async () => {
  const next = { label: 'L'.repeat(40), do: [{ next: true }] }
  const step = (_: unknown, index: number) => ({
    ...{ key: `s${index}`, type: 'dialog', blocks: [{ heading: 'H' }] },
    buttons: [next, { label: 'To the last', do: [{ go_to: 's29' }] }],
  })
  const steps = Array.from({ length: 30 }, step)
  const who = { attribute: 'a'.repeat(100), is: 'exists' }
  const id = await create({ key: 'long', type: 'flow', name: 'W'.repeat(100), who, steps })
  const fits = async (selector: string) =>
    await page.evaluate<boolean>(
      `(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)(document.querySelector('${selector}'))`,
    )
  await go(page, `/production/content/${id}/steps?step=s29`)
  expect(await fits('.way')).toBe(true)
  const path = page.getByRole('list', { name: 'Path' })
  const edges = async () => {
    const [outer, inner] = await Promise.all([path.boundingBox(), path.locator('[aria-current]').boundingBox()])
    return outer && inner ? [inner.x - outer.x, outer.x + outer.width - inner.x - inner.width] : []
  }
  expect(Math.min(...(await edges()))).toBeGreaterThanOrEqual(0)
  const inStory = async (number: number) => {
    const [outer, inner] = await Promise.all(
      ['.story', `.story ol > li:nth-child(${number})`].map((one) => page.locator(one).boundingBox()),
    )
    return outer && inner && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height
  }
  expect(await inStory(30)).toBe(true)
  await page.getByRole('button', { name: 'Step 24, H' }).focus()
  await page.getByRole('button', { name: 'Step 24, H' }).press('Enter')
  expect(Math.min(...(await edges()))).toBeGreaterThanOrEqual(0)
  // The second click lands beside the dialog, which stays.
  await page.getByRole('button', { name: 'Publish…' }).dblclick()
  await page.getByRole('dialog').getByText('What changes').waitFor()
  expect(await fits('.dialog h2')).toBe(true)
  await page.keyboard.press('Escape')
  await page.setViewportSize({ width: 375, height: 900 })
  await go(page, `/production/content/${id}/who`)
  expect(await fits('.sentence')).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
})

it('a new locator has the focus behind what it begins with', async () => {
  const id = await create({ ...emptyDocument('launcher'), key: 'focused' })
  await go(page, `/production/content/${id}/steps`)
  await page.getByRole('button', { name: 'Locator', exact: true }).press('Enter')
  await page.getByRole('textbox', { name: 'Locator 1' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.type('new-task')
  await expect.poll(async () => await draftOf(id)).toMatchObject({ target: { locators: ['testid=new-task'] } })
  await page.getByRole('button', { name: 'Another, tried after these' }).press('Enter')
  await page.getByRole('textbox', { name: 'Locator 2' }).and(page.locator(':focus')).waitFor()
})

it('the tasks of a checklist are added, moved and copied by keys, and its settings are saved', async () => {
  const { key: _, steps: __, ...flow } = asked
  const tasks = ['one', 'two'].map((key) => ({ key, name: `Task ${key}` }))
  const id = await create({ ...flow, type: 'checklist', key: 'list-of-tasks', tasks })
  page = await stage.show('admin', `/content/${id}/steps`)
  problems = watch(page)
  const list = page.getByRole('navigation', { name: 'Tasks' })
  await list.getByRole('link', { name: /Task two/ }).press('Alt+ArrowUp')
  await list.getByRole('link', { name: /1 Task two/ }).press('Control+d')
  await list.getByRole('button', { name: 'Task', exact: true }).click()
  await list.getByText('Open at first').click()
  // The word of the list itself.
  await list.getByRole('checkbox', { name: 'Users can hide it', exact: true }).waitFor()
  const preview = page.frameLocator('iframe.preview')
  await preview.getByRole('button', { name: 'Hide', exact: true }).waitFor()
  const keysOf = (document: object) =>
    ('tasks' in document ? (document.tasks as { key: string }[]) : []).map((one) => one.key)
  await expect.poll(async () => keysOf(await draftOf(id))).toEqual(['two', 'two-copy', 'one', 'task-4'])
  await expect.poll(() => draftOf(id)).toMatchObject({ starts_open: true })
  // A text that was emptied is none, and the draft can go live.
  await list.getByRole('textbox', { name: 'Text' }).fill('About it')
  await list.getByRole('textbox', { name: 'Text' }).fill('')
  await list.getByRole('button', { name: 'Task', exact: true }).click()
  // The title of a new task has the focus.
  await expect.poll(() => page.evaluate("document.activeElement?.closest('.insp') !== null")).toBe(true)
  await page.keyboard.type('Called at once')
  // A number is typed digit by digit.
  const inspector = page.getByRole('complementary', { name: 'Task 5' })
  await inspector.getByRole('button', { name: 'Action', exact: true }).click()
  await inspector.getByRole('combobox', { name: 'Action 1' }).click()
  await option('Set an attribute')
  await inspector.getByRole('textbox', { name: 'Attribute' }).fill('score')
  await inspector.getByRole('combobox', { name: 'Type' }).click()
  await option('Number')
  await inspector.getByRole('textbox', { name: 'Value' }).fill('')
  await inspector.getByRole('textbox', { name: 'Value' }).pressSequentially('1.05')
  await expect
    .poll(async () => ((await draftOf(id)) as ChecklistDocument).tasks[4])
    .toMatchObject({ name: 'Called at once', do: [{ set: 'score', value: 1.05 }] })
  expect(await draftOf(id)).not.toHaveProperty('text')
  expect(problems).toEqual([])
})

it('an action starts content that is chosen by its name, and a text stays a text whatever it looks like', async () => {
  const live = { environment, content_id: await create({ ...asked, key: 'after', name: 'A thank you' }) }
  const { draft } = await owner.call('getContent', live)
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await owner.call('publishContent', { ...live, ...version })
  await create({ ...asked, key: 'not-live', name: 'Not live yet' })
  const set = [{ set: 'code', value: '12' }]
  const blocks = [{ text: 'Reports are new.' }]
  const id = await create({
    ...{ key: 'leads-on', type: 'banner', name: 'Leads on', blocks },
    buttons: [{ label: 'Go', do: set }],
  })
  page = await stage.show('admin', `/content/${id}/steps`)
  problems = watch(page)
  const actions = async () => ((await draftOf(id)) as { buttons?: { do: unknown[] }[] }).buttons?.[0]?.do
  await page.getByRole('button', { name: /^Go set code/ }).click()
  const value = page.getByRole('textbox', { name: 'Value' })
  await value.fill('')
  await value.pressSequentially('013')
  await expect.poll(actions).toEqual([{ set: 'code', value: '013' }])
  await value.fill('true')
  await expect.poll(actions).toEqual([{ set: 'code', value: 'true' }])
  await page.getByRole('combobox', { name: 'Type' }).click()
  await option('Number')
  await value.fill('13')
  await expect.poll(actions).toEqual([{ set: 'code', value: 13 }])
  await value.fill('1e')
  await page.getByText('This is not a number. The value stays 13.').waitFor()

  await page.getByRole('combobox', { name: 'Action 1' }).click()
  await option('Start content')
  await page.getByRole('combobox', { name: 'Content' }).click()
  await page.getByRole('option', { name: /^A thank you/ }).waitFor()
  // What is live stands first; the content itself is not among them.
  const offered = await page.getByRole('option').allInnerTexts()
  expect(offered[0]).toMatch(/^A thank you\s+after$/)
  expect(offered).toContainEqual(expect.stringMatching(/^Not live yet\s+not published$/))
  expect(offered.join()).not.toContain('Leads on')
  await option(/^A thank you/)
  await expect.poll(actions).toEqual([{ start: 'after' }])
  await page.getByRole('button', { name: 'Go start “A thank you”' }).waitFor()
  expect(await axe(page)).toEqual([])
  expect(problems).toEqual([])
})

const banner = (key: string, more: object = {}) => ({
  ...{ key, type: 'banner', name: 'News', blocks: [{ text: 'Reports are new.' }] },
  ...more,
})
const publish = async (id: string) => {
  const { draft } = await owner.call('getContent', { environment, content_id: id })
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await owner.call('publishContent', { environment, content_id: id, ...version })
}

it('a theme is chosen for content, and whether pages may start it', async () => {
  await owner.call('saveTheme', { environment, document: { ...defaultTheme, key: 'evening', name: 'Evening' } })
  const id = await create(banner('themed'))
  page = await stage.tab('admin')
  problems = watch(page)
  // The tab may have read the themes before there was another one.
  await load(page, `${stage.server.url}/app/production/content/${id}/who`)
  const how = page.getByRole('region', { name: 'How' })
  await how.getByRole('combobox', { name: 'Theme' }).click()
  await option('Evening')
  const start = how.getByRole('switch', { name: 'Pages may start it' })
  await start.press('Enter')
  await expect.poll(() => draftOf(id)).toMatchObject({ theme: 'evening', startable: true })
  await how.getByText("usher.start('themed')").waitFor()
  expect(await how.getByRole('link', { name: 'Open the theme' }).getAttribute('href')).toMatch(/themes\/evening$/)
  expect(await axe(page)).toEqual([])
  await how.getByRole('combobox', { name: 'Theme' }).click()
  await option('Default')
  await start.click()
  await expect.poll(() => draftOf(id)).toEqual(banner('themed'))
  // A theme that is not there any more is named, and where another one is chosen.
  const { draft } = await owner.call('getContent', { environment, content_id: id })
  const document = { ...draft.document, theme: 'gone' }
  await owner.call('saveDraft', { environment, content_id: id, document, expected_draft: draft.revision })
  await load(page, `${stage.server.url}/app/production/content/${id}/steps?publish=yes`)
  await page.getByRole('dialog').getByText('there is no theme “gone”').waitFor()
  await page.getByRole('dialog').getByRole('link', { name: 'Choose another' }).click()
  await how.getByRole('combobox', { name: 'Theme' }).getByText('gone').waitFor()
  expect(problems).toEqual([])
})

it('steps, tasks and blocks are moved by clicks alone', async () => {
  const blocks = [{ heading: 'One' }, { text: 'Two' }]
  const flowId = await create({
    ...branched,
    key: 'clicked',
    steps: [{ ...branched.steps[0], blocks }, branched.steps[4]],
  })
  page = await stage.show('admin', `/content/${flowId}/steps`)
  problems = watch(page)
  const choose = async (menu: string, name: string) => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  const keysOf = async (id: string) => {
    const document = await draftOf(id)
    return ('steps' in document ? document.steps : 'tasks' in document ? document.tasks : []).map(({ key }) => key)
  }
  await page.getByRole('button', { name: 'Move block 2 up' }).click()
  await page.locator('[data-block="0"] > .gly').and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: 'Actions of step 1' }).click()
  // The first one has no place above it.
  await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Move down', 'Duplicate', 'Delete'])
  await page.getByRole('menuitem', { name: 'Move down' }).click()
  await expect.poll(() => keysOf(flowId)).toEqual(['end', 'hello'])
  await choose('Actions of step 2', 'Move up')
  await expect.poll(() => keysOf(flowId)).toEqual(['hello', 'end'])
  expect(JSON.stringify(await draftOf(flowId))).toContain('[{"text":"Two"},{"heading":"One"}]')

  const complete_when = { event: 'an_invitation_was_sent', at_least: 2 }
  const tasks = ['one', 'two'].map((key) => ({ key, name: `Task ${key}`, complete_when }))
  const listId = await create({ key: 'clicked-list', type: 'checklist', name: 'A list', tasks })
  await go(page, `/production/content/${listId}/steps?step=two`)
  // A long condition takes nothing from the button beside it.
  const { width, height } = (await page.getByRole('button', { name: 'Remove the condition' }).boundingBox()) ?? {}
  expect(width).toBe(height)
  await choose('Actions of task 2', 'Move up')
  await expect.poll(() => keysOf(listId)).toEqual(['two', 'one'])
  await choose('Actions of task 1', 'Duplicate')
  await expect.poll(() => keysOf(listId)).toEqual(['two', 'two-copy', 'one'])
  await choose('Actions of task 1', 'Delete')
  await expect.poll(() => keysOf(listId)).toEqual(['two-copy', 'one'])
  expect(problems).toEqual([])
})

it('no more steps are offered than a flow may have', async () => {
  const steps = Array.from({ length: 49 }, (_, index) => ({ ...branched.steps[0], key: `s${index}` }))
  const id = await create({ ...branched, key: 'full', steps })
  await go(page, `/production/content/${id}/steps`)
  const list = page.getByRole('navigation', { name: 'Steps' })
  await list.getByRole('button', { name: 'Dialog', exact: true }).click()
  await list.getByRole('button', { name: 'Dialog', exact: true }).waitFor({ state: 'detached' })
  expect(await list.getByRole('button', { name: 'Add a step' }).count()).toBe(0)
  await list.getByRole('link', { name: /^1 / }).press('Control+d')
  await expect.poll(async () => ((await draftOf(id)) as FlowDocument).steps.length).toBe(50)
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
})

it('a change of a text with an arrow is told as what it was and what it is', async () => {
  const buttons = (label: string) => [{ label, do: [{ end: 'completed' as const }] }]
  const id = await create(banner('arrows', { buttons: buttons('Settings → Billing') }))
  await publish(id)
  const { draft } = await owner.call('getContent', { environment, content_id: id })
  const document = { ...draft.document, buttons: buttons('Settings → Plan') } as typeof draft.document
  await owner.call('saveDraft', { environment, content_id: id, document, expected_draft: draft.revision })
  await go(page, `/production/content/${id}/steps?publish=yes`)
  const change = page.getByRole('dialog').locator('.chg li')
  await change.first().waitFor()
  expect(await change.locator('s').allInnerTexts()).toEqual(['"Settings → Billing"'])
  expect(await change.locator('b').allInnerTexts()).toEqual(['"Settings → Plan"'])
})

it('a setting that is put back leaves no change behind', async () => {
  const id = await create(banner('put-back'))
  await publish(id)
  await go(page, `/production/content/${id}/who`)
  const seconds = page.getByRole('textbox', { name: 'Seconds to wait' })
  await seconds.fill('5')
  await page.locator('.chead').getByText('Changed', { exact: true }).waitFor()
  await seconds.fill('')
  await page.locator('.chead').getByText('Published', { exact: true }).waitFor()
  expect(await draftOf(id)).toEqual(banner('put-back'))
})

it('a copy of content with the longest name has a name of its own', async () => {
  const id = await create(banner('longest', { name: 'N'.repeat(100) }))
  await go(page, `/production/content/${id}/steps`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.waitForURL((url) => !url.pathname.includes(id))
  await expect
    .poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).first().inputValue())
    .toBe(`${'N'.repeat(95)} copy`)
})
