import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { buildScript } from '../support/built.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'
import { axe } from './looks.ts'
import { go, openStage, type Stage, watch } from './stage.ts'

const environment = 'production'
const flow = starters[0]?.document as FlowDocument

let stage: Stage
let owner: Browser
let page: Page
let problems: string[]
beforeAll(async () => {
  await buildScript()
  stage = await openStage()
  owner = await memberOf(stage.server, 'owner')
  page = await stage.show('admin', '/content')
  problems = watch(page)
})
afterAll(async () => await stage.close())

const saved = async () => await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
const draftOf = async (id: string) => (await owner.call('getContent', { environment, content_id: id })).draft.document
const idOf = () => /content\/([0-9a-f-]{36})/.exec(page.url())?.[1] as string

it('a starter becomes a draft, is edited by keys, undone, and saved by itself', async () => {
  await page.getByRole('heading', { name: 'Nothing to show yet' }).waitFor()
  // A picture is as high as its place: nothing of it is cut.
  const [place, picture] = await Promise.all(
    ['.starter .pic', '.starter iframe'].map((one) => page.locator(one).first().boundingBox()),
  )
  expect(Math.abs((place?.height ?? 0) - (picture?.height ?? 0))).toBeLessThanOrEqual(1)
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/production/content', async (route) => {
    await answered
    await route.continue()
  })
  const starter = page.locator('.starter').filter({ hasText: 'Welcome new users' })
  await starter.getByRole('button', { name: 'Use it' }).dblclick()
  await starter.getByRole('button', { name: 'Creating…' }).waitFor()
  answer()
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().waitFor()
  await page.unroute('**/production/content')
  const id = idOf()
  const steps = page.getByRole('navigation', { name: 'Steps' })
  await steps.getByRole('link', { name: /Your first project/ }).click()
  await page.getByRole('textbox', { name: 'Heading, block 1' }).fill('Begin here')
  await saved()
  expect(JSON.stringify(await draftOf(id))).toContain('Begin here')
  await page.getByRole('button', { name: 'Text', exact: true }).press('Enter')
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('TEXTAREA')
  await page.keyboard.type('Typed at once')
  await expect.poll(async () => JSON.stringify(await draftOf(id))).toContain('Typed at once')

  const second = steps.getByRole('link', { name: /Begin here/ })
  await second.focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Control+d')
  await expect
    .poll(async () => ((await draftOf(id)) as FlowDocument).steps.map(({ key }) => key))
    .toEqual(['hello', 'help', 'first-project', 'first-project-copy'])
  await page.getByRole('button', { name: 'Undo: duplicate step 3' }).click()
  await page.getByRole('button', { name: 'Undo: move step 2' }).waitFor()
  await page.keyboard.press('Control+z')
  await expect
    .poll(async () => ((await draftOf(id)) as FlowDocument).steps.map(({ key }) => key))
    .toEqual(['hello', 'first-project', 'help'])
  const frame = page.frameLocator('iframe.preview')
  await steps.getByRole('link', { name: /Begin here/ }).click()
  await frame.getByRole('heading', { name: 'Begin here' }).waitFor()
  expect(await axe(page)).toEqual([])
})

it('an unfinished draft is kept, says where it is unfinished, and is published when it is not', async () => {
  const id = idOf()
  await page.getByRole('textbox', { name: 'Locator 1' }).fill('')
  await page.getByText('The draft cannot go live yet: 1 problem.').waitFor()
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('1 problem to solve first').waitFor()
  expect(await axe(page)).toEqual([])
  expect(await dialog.getByRole('button', { name: 'Publish version 1' }).getAttribute('aria-disabled')).toBe('true')
  await dialog.getByRole('link', { name: 'Go there' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('textbox', { name: 'Locator 1' }).fill('testid=project')
  await page.getByText('Not published yet.').waitFor()
  await page.getByRole('button', { name: 'Publish…' }).click()
  await expect.poll(() => page.evaluate('document.activeElement?.tagName')).toBe('H2')
  await dialog.getByRole('textbox', { name: 'Note for the list of versions' }).fill('The first one')
  await dialog.getByRole('button', { name: 'Publish version 1' }).click()
  await page.getByText('Version 1 is live.').first().waitFor()
  await page.locator('.chead').getByText('Published', { exact: true }).first().waitFor()
  await go(page, `/production/content/${id}/versions`)
  await page.getByText('The first one').waitFor()
  expect(await axe(page)).toEqual([])
})

it('what somebody else saved meanwhile is shown, and nothing is overwritten unseen', async () => {
  const id = idOf()
  await go(page, `/production/content/${id}/steps`)
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).first()
  await name.fill('One')
  await saved()
  const { draft } = await owner.call('getContent', { environment, content_id: id })
  await owner.call('saveDraft', {
    environment,
    content_id: id,
    document: { ...draft.document, name: 'Theirs' },
    expected_draft: draft.revision,
  })
  await name.fill('Mine')
  await page.getByText('changed name').waitFor()
  expect((await draftOf(id)).name).toBe('Theirs')
  await page.getByRole('button', { name: 'Publish…' }).click()
  await page.getByRole('dialog').getByText('Not saved: somebody else changed it.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await saved()
  await expect.poll(async () => (await draftOf(id)).name).toBe('Mine')
})

it('whoever leaves a content and comes back finds what was saved, also before it is read again', async () => {
  const id = idOf()
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).first()
  await name.fill('Saved before leaving')
  await saved()
  await expect.poll(async () => (await draftOf(id)).name).toBe('Saved before leaving')
  await page.route(`**/content/${id}`, (route) => (route.request().method() === 'GET' ? undefined : route.continue()))
  await go(page, '/production/content')
  await go(page, `/production/content/${id}/steps`)
  expect(await name.inputValue()).toBe('Saved before leaving')
  await name.fill('Mine')
  await expect.poll(async () => (await draftOf(id)).name).toBe('Mine')
  await page.unrouteAll()
})

it('what somebody else deleted meanwhile can be saved as new content', async () => {
  const before = idOf()
  const { id } = await owner.call('createContent', { environment, document: { ...flow, key: 'gone', name: 'Gone' } })
  await go(page, `/production/content/${id}/steps`)
  await owner.call('deleteContent', { environment, content_id: id })
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Written meanwhile')
  const strip = page.getByRole('alert').filter({ hasText: 'Somebody else deleted this content.' })
  await strip.getByRole('button', { name: 'Save as new content' }).click()
  await page.waitForURL((url) => !url.pathname.includes(id))
  expect(await draftOf(idOf())).toMatchObject({ key: 'gone', name: 'Written meanwhile' })
  await strip.waitFor({ state: 'detached' })
  await owner.call('deleteContent', { environment, content_id: idOf() })
  await go(page, `/production/content/${before}/steps`)
})

it('what could not be sent is kept in the browser, and sent later', async () => {
  const id = idOf()
  const name = page.getByRole('textbox', { name: 'Name', exact: true }).first()
  // What the page knew before is replaced by what is stored now, and with it the selection that is written over.
  const { name: stored } = await draftOf(id)
  await expect.poll(() => name.inputValue()).toBe(stored)
  await page.route('**/app/api/**', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await name.fill('Offline')
  await page.getByText('Not saved: no connection. Kept here.').waitFor()
  await page.unrouteAll()
  await page.reload()
  await expect.poll(async () => (await draftOf(id)).name).toBe('Offline')
})

it('two tabs keep their drafts apart: what a closed one has left is offered as a conflict, and nothing is lost', async () => {
  const id = idOf()
  const nameIn = (tab: Page) => tab.getByRole('textbox', { name: 'Name', exact: true }).first()
  const typeOffline = async (tab: Page, name: string) => {
    await tab.route('**/app/api/**', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await nameIn(tab).fill(name)
    await tab.getByText('Not saved: no connection. Kept here.').waitFor()
  }
  const keptIn = async (tab: Page) =>
    await tab.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('draft:')).length`)
  const [first, second] = [await page.context().newPage(), await page.context().newPage()]
  for (const tab of [first, second]) await tab.goto(page.url())
  await typeOffline(first, 'Of the first tab')
  await typeOffline(second, 'Of the second tab')
  expect(await keptIn(page)).toBe(2)
  for (const tab of [first, second]) await tab.close()

  await page.reload()
  // One is sent, the other is shown beside it. Which one is the first is for the browser to say.
  await page.getByText('changed name').waitFor()
  const names = [(await draftOf(id)).name, await nameIn(page).inputValue()]
  expect([...names].sort()).toEqual(['Of the first tab', 'Of the second tab'])
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(async () => (await draftOf(id)).name).toBe(names[1])
  await saved()
  expect(await keptIn(page)).toBe(0)
})

it('a content is duplicated, renamed, and copied to another environment', async () => {
  const id = idOf()
  const choose = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await choose('Duplicate')
  await page.getByText('This is the copy.').first().waitFor()
  await expect.poll(idOf).not.toBe(id)
  const copy = idOf()
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Renamed')
  await expect.poll(async () => (await draftOf(copy)).name).toBe('Renamed')
  // What is not saved yet is saved first.
  const held = Promise.withResolvers<void>()
  await page.route('**/app/api/**', async (route) => {
    if (route.request().method() === 'PATCH') await held.promise
    await route.continue()
  })
  await page.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Renamed again')
  await choose('Copy to Staging')
  held.resolve()
  await page.getByText('It is a draft in Staging now.').first().waitFor()
  const { data } = await owner.call('listContent', { environment: 'staging' })
  expect(data.map(({ name, state }) => [name, state])).toEqual([['Renamed again', 'draft']])
  await page.unrouteAll({ behavior: 'wait' })
  await owner.call('deleteContent', { environment, content_id: copy })
  await go(page, `/production/content/${id}/steps`)
})

it('a content is taken down and deleted from its menu, and the list says so', async () => {
  await owner.call('createContent', { environment, document: { ...flow, key: 'other', name: 'Another' } })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Take down…' }).dblclick()
  await page.getByRole('dialog').getByRole('button', { name: 'Take down' }).click()
  await page.locator('.chead').getByText('Draft', { exact: true }).waitFor()
  const id = idOf()
  await go(page, '/production/content')
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
  await go(page, `/production/content/${id}/steps`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  // The list is not read again until the test says so: what was deleted is gone all the same.
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const isList = (url: URL) => url.pathname.endsWith('/production/content')
  await page.route(isList, async (route) => {
    if (route.request().resourceType() === 'fetch') await gate
    await route.continue()
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete content' }).click()
  await page.getByRole('heading', { name: 'Nothing is live yet.' }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  open()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Settings of guidance' }).click()
  await page.getByRole('menuitem', { name: 'Turn guidance off…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('heading', { name: 'Guidance is off. Nobody sees anything.' }).waitFor()
  await page.getByText(/turned it off/).waitFor()
  expect(await axe(page)).toEqual([])
  expect(problems).toEqual([])
})

it('results say how a version does, and what was answered', async () => {
  const document = { ...(starters[3]?.document as FlowDocument), key: 'asked' }
  const { id } = await owner.call('createContent', { environment, document })
  const { draft } = await owner.call('getContent', { environment, content_id: id })
  const job = { environment, content_id: id, expected_draft: draft.revision, description: '' }
  await owner.call('publishContent', { ...job, inside: 'finish' })
  await seedRuns(id)
  await go(page, `/production/content/${id}/results`)
  await page.getByRole('heading', { name: /^75.* finish it\. Most who leave, leave at step 1\.$/ }).waitFor()
  await page.locator('.chead').getByText('Guidance is off: nobody sees version 1.').waitFor()
  await page.getByText('closed it').waitFor()
  await page.locator('.score', { hasText: '+50' }).waitFor()
  await page.locator('.marks').getByText('Version 1 went live').waitFor()
  await page.getByRole('combobox', { name: 'Version' }).getByText('Version 1, since').waitFor()
  await page.getByText('40 answers to version 1').first().waitFor()
  await page.getByText('It is quick 1', { exact: true }).waitFor()
  await page.getByRole('listitem').filter({ hasText: 'It is quick 4' }).getByText('gave 0').waitFor()
  await page.getByRole('searchbox', { name: 'Search the answers' }).fill('quick 7')
  await page.getByText('It is quick 1', { exact: true }).waitFor({ state: 'detached' })
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export texts' }).click(),
  ])
  expect(file.suggestedFilename()).toBe('asked-reason.csv')
  await page.getByRole('combobox', { name: 'Range' }).click()
  await page.getByRole('option', { name: 'Last 7 days' }).click()
  await page.waitForURL(/days=7/)
  await page.locator('.score', { hasText: '+50' }).waitFor()
  expect(await axe(page)).toEqual([])
  // While a version is loading, neither the draft is shown nor anything to edit.
  const held = Promise.withResolvers<void>()
  await page.route(/\/versions\/1$/, async (route) => {
    await held.promise
    await route.continue()
  })
  const show = (at: number) =>
    page.evaluate(`__TSR_ROUTER__.navigate({ href: '/production/content/${id}/steps?at=${at}' })`)
  await show(1)
  await page.locator('.loading').first().waitFor()
  expect(await page.locator('main').getByRole('textbox').count()).toBe(0)
  expect(await page.getByRole('button', { name: /^Publish/ }).count()).toBe(0)
  held.resolve()
  await page
    .locator('.chead')
    .getByText(/Version 1, published \d+ \w+\. It can be read, and does not change\./)
    .waitFor()
  // Drafts are drawn as a user, published versions are not: nobody is offered.
  await page.getByRole('button', { name: /^Step 1/ }).waitFor()
  expect(await page.getByRole('combobox', { name: /^Path of/ }).count()).toBe(0)
  await show(99)
  await page.getByText('There is nothing here').waitFor()
  // A content without steps says why its runs ended, and names the users.
  const banner = { key: 'bar', type: 'banner', name: 'A banner', blocks: [{ text: 'Hello' }] } as const
  const { id: bar } = await owner.call('createContent', { environment, document: banner as never })
  const first = (await owner.call('getContent', { environment, content_id: bar })).draft
  await owner.call('publishContent', {
    ...{ ...job, content_id: bar, inside: 'finish' as const },
    expected_draft: first.revision,
  })
  await seedRuns(bar)
  await go(page, `/production/content/${bar}/results`)
  await page.getByRole('listitem').filter({ hasText: 'closed it' }).getByRole('link', { name: '10' }).click()
  await page.getByRole('complementary', { name: 'The users behind the figure' }).getByText('Left: closed it').waitFor()
  expect(problems).toEqual([])
})

/** 40 runs of two days: of four, three were completed and one was closed. Of four answers three are 10, and one is 0. */
async function seedRuns(contentId: string): Promise<void> {
  const { database, environmentId } = stage.server
  const { versions } = await owner.call('getContent', { environment, content_id: contentId })
  expect(versions).toBe(1)
  await database.query(
    `with runs as (
       insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, step, steps,
         epoch, sequence, created_at, last_activity_at, completed_at, ended_at, end_reason)
       select $1::int, gen_random_uuid(), content.id, content.published_version_id, 'flow', 'u_' || number, 'active', 'auto',
              'ask', '["ask"]', 1, 1, now() - (1 + number % 2) * interval '1 day', now(), case when number % 4 > 0 then now() end, now(),
              case when number % 4 = 0 then 'close_button' end
         from content, generate_series(1, 40) as number
        where content.environment_id = $1::int and content.id = $2::uuid
       returning *)
     insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name,
       number_answer, text_answer, epoch, sequence, created_at)
     select environment_id, id, question, gen_random_uuid(), user_id, content_id, version_id, question,
            case when question = 'recommend' then case when completed_at is null then 0 else 10 end end,
            case when question = 'reason' then 'It is quick ' || substr(user_id, 3) end, 1, 1,
            now() - substr(user_id, 3)::int * interval '1 second'
       from runs, unnest(array['recommend', 'reason']) as question`,
    [environmentId, contentId],
  )
}
