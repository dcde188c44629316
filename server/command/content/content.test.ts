import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { exampleBanner, exampleFlow } from '../../../contract/content/examples.ts'
import { startTestServer, type TestServer } from '../../../test/support/client.ts'
import { usher } from '../../../test/support/command.ts'
import { contentFolder } from '../../../test/support/content-folder.ts'
import { commandActor } from '../../audit/record.ts'
import { saveContents } from '../../content/save.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const run = async (...words: string[]) =>
  await usher(['content', ...words, '--url', server.url, '--key', server.key], {})

const flow = { ...exampleFlow, who: undefined }

it('what is pushed is pulled again as it was, and a pull after a push writes nothing', async () => {
  const commented = `// for Sunday\n${JSON.stringify(exampleBanner)}`
  const folder = await contentFolder({ 'flow.json': flow, 'banner.jsonc': commented })
  const different = await run('diff', folder)
  expect([different.code, different.stdout]).toEqual([1, expect.stringContaining('+ flow: first-report is new')])
  expect((await run('push', folder, '--dry-run')).stdout).toContain('maintenance')
  expect((await server.client.get('/content')).body.data).toEqual([])
  expect((await run('push', folder)).stdout).toContain('Saved as drafts.')
  expect(await run('diff', folder)).toMatchObject({ code: 0, stdout: 'No differences.\n' })
  const diffByUrl = ['content', 'diff', folder, '--url', server.url]
  expect(await usher(diffByUrl, { USHER_API_KEY: server.key })).toMatchObject({ code: 0 })
  expect(await usher(diffByUrl, {})).toMatchObject({ code: 2, stderr: expect.stringContaining('in USHER_API_KEY') })
  expect((await run('pull', folder)).stdout).toBe('Nothing has changed.\n')
  expect(await readFile(join(folder, 'banner.jsonc'), 'utf8')).toBe(commented)

  const other = await contentFolder({})
  await run('pull', other)
  expect(await run('diff', other)).toMatchObject({ code: 0 })
  const text = await readFile(join(other, 'first-report.json'), 'utf8')
  expect(text.split('\n').slice(0, 4)).toEqual([
    '{',
    '  "key": "first-report",',
    '  "type": "flow",',
    '  "name": "First report",',
  ])
})

it('publishing a folder is all or nothing, and says in words what users will see', async () => {
  const folder = await contentFolder({
    'a.json': { ...exampleBanner, key: 'a' },
    'b.json': { ...exampleBanner, key: 'b', theme: 'gone' },
  })
  const refused = await run('publish', folder)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('there is no theme `gone`')])
  expect(
    (await server.client.get('/content?order_by=name')).body.data.map(({ key }: { key: string }) => key),
  ).not.toContain('a')
  await writeFile(join(folder, 'b.json'), JSON.stringify({ ...exampleBanner, key: 'b' }))
  expect((await run('publish', folder)).stdout).toContain('Published.')
  expect(await run('diff', folder, '--published', '--json')).toMatchObject({ code: 0 })
})

it('a publication says what to know before it, also a dry run, and names the files', async () => {
  const answered = { answer: 'poll', question: 'ease', is: 'equals', value: 5 }
  const poll = { key: 'poll', type: 'banner', name: 'Poll', blocks: [{ text: 'Hi' }] }
  const folder = await contentFolder({
    'nobody.json': { ...exampleBanner, key: 'nobody', who: { attribute: 'plan', is: 'equals', value: 'none' } },
    'unasked.json': { ...exampleBanner, key: 'unasked', who: { not: answered } },
    'poll.json': poll,
  })
  const nobody = 'nobody.json: who: nobody matches now'
  const warnings = [
    nobody,
    'unasked.json: who: nobody matches now',
    expect.stringContaining('unasked.json: who.not.question: neither the draft'),
  ]
  expect((await run('publish', folder, '--dry-run')).stdout).toContain(`Warnings:\n  ${nobody}\n`)
  const published = await run('publish', folder, '--json')
  expect(JSON.parse(published.stdout)).toMatchObject({ warnings })
  expect((await run('push', folder)).stdout).not.toContain('Warnings')
})

it('a push of a plan that is no longer true changes nothing', async () => {
  const document = { ...exampleBanner, key: 'plan' }
  await server.client.post('/content', document)
  const stale = {
    documents: [
      { document: { ...document, name: 'mine' }, expected_draft: '1.9' },
      { document: { ...exampleBanner, key: 'plan-2' } },
    ],
  }
  expect((await server.client.post('/content/push', stale)).status).toBe(409)
  expect(
    (await server.client.get('/content?limit=100')).body.data.map(({ key }: { key: string }) => key),
  ).not.toContain('plan-2')
})

it('a pull overwrites no file that is not of the content, and writes nothing then', async () => {
  await server.client.post('/content', { ...exampleBanner, key: 'pulled' })
  await server.client.post('/content', { ...exampleBanner, key: 'another' })
  const folder = await contentFolder({ 'pulled.json': { ...exampleBanner, key: 'mine' } })
  const { code, stdout } = await run('pull', folder)
  expect([code, stdout]).toEqual([2, expect.stringContaining('pulled.json: does not have the key pulled')])
  expect(JSON.parse(await readFile(join(folder, 'pulled.json'), 'utf8')).key).toBe('mine')
  expect(await readdir(folder)).toEqual(['pulled.json'])
})

it('a pull makes its folder, keeps the comments of a file that it changes, and finishes what is unfinished', async () => {
  const commented = `{
  // what users read
  "key": "commented", "type": "banner", "name": "Old", /* one */ "blocks": [{ "text": "Old" }], "position": "top"
}`
  const { name, blocks } = exampleBanner
  await server.client.post('/content', { key: 'commented', type: 'banner', name, blocks })
  const unfinished = JSON.stringify({ ...exampleBanner, key: 'pulled', name: '' })
  const folder = await contentFolder({ 'commented.jsonc': `\ufeff${commented}`, 'pulled.json': unfinished })
  expect((await run('pull', folder)).code).toBe(0)
  const text = await readFile(join(folder, 'commented.jsonc'), 'utf8')
  expect([text, text]).toEqual([expect.stringContaining('// what users read'), expect.stringContaining('/* one */')])
  await mkdir(join(folder, 'notes.json'))
  expect(await run('diff', folder)).toMatchObject({ code: 0 })
  const made = join(folder, 'made', 'here')
  expect((await run('pull', made)).code).toBe(0)
  expect(await readdir(made)).toContain('commented.json')
})

it('a push does not lose the draft of somebody else: it stays as a version, and the command names it', async () => {
  const document = { ...exampleBanner, key: 'edited' }
  const folder = await contentFolder({ 'edited.json': { ...document, name: 'From the folder' } })
  const member = { actor: { ...commandActor(1), kind: 'member' as const, name: 'Ada' }, environment: 'production' }
  const job = { document: document as ContentDocument, expectedDraft: undefined }
  await server.services.commits.submit(saveContents, server.environmentId, { job, origin: member })
  const first = await run('push', folder)
  expect(first.stdout).toMatch(/stay as versions:\n {2}edited: version 1, which Ada edited at /)
  await writeFile(join(folder, 'edited.json'), JSON.stringify({ ...document, name: 'Again' }))
  expect((await run('push', folder)).stdout).not.toContain('stay as versions')
  const { data } = (await server.client.get('/content?limit=100')).body
  const { id } = data.find(({ key }: { key: string }) => key === 'edited')
  const versions = (await server.client.get(`/content_versions?content_id=${id}&expand=document`)).body
  expect(versions.data.map(({ document }: { document: { name: string } }) => document.name)).toEqual([
    exampleBanner.name,
    'Again',
  ])
})

it('a refusal names the file, also of a dry run, which stores nothing', async () => {
  const folder = await contentFolder({
    'fine.json': { ...exampleBanner, key: 'fine' },
    'refused.json': { ...exampleBanner, key: 'refused', theme: 'gone' },
  })
  for (const more of [[], ['--dry-run']]) {
    const { code, stderr } = await run('publish', folder, ...more)
    expect([code, stderr]).toEqual([1, expect.stringContaining('refused.json: theme: there is no theme `gone`')])
  }
  expect((await run('push', folder, '--environment', 'Production')).stderr).toContain('give one of them')
})

it('a difference is what the folder would change: content without a file is named, and is none', async () => {
  await server.client.post('/content', { ...exampleBanner, key: 'without-file' })
  const folder = await contentFolder({ 'with-file.json': { ...exampleBanner, key: 'with-file' } })
  await run('push', folder)
  expect(await run('diff', folder)).toMatchObject({ code: 0, stdout: expect.stringContaining('has no file here') })
})

it('files with problems end with 2, and each problem has its file and its place', async () => {
  const folder = await contentFolder({ 'broken.json': '{ "key": ', 'wrong.json': { ...flow, colour: 'red' } })
  const { code, stdout } = await run('push', folder)
  expect(code).toBe(2)
  expect(stdout).toContain('broken.json: line 1: is not JSON')
  expect(stdout).toContain('wrong.json: colour: is not a known field')
})

it('a file whose key has the form of an id is a problem, also without a server', async () => {
  const key = '01890a5d-ac96-774b-bcce-b302099a8057'
  const files = { 'id.json': { ...flow, key }, 'fine.test.json': { expect: { shown: [] } } }
  const folder = await contentFolder(files)
  for (const { code, stdout } of [await run('push', folder), await usher(['content', 'test', folder], {})]) {
    expect(code).toBe(2)
    expect(stdout).toMatch(/id\.json: key: must be .* and must not have the form of an id$/m)
  }
})

it('a comparison that failed ends with 2, as 1 says that something differs', async () => {
  const folder = await contentFolder({ 'banner.json': exampleBanner })
  const diff = async (where: string, key: string) =>
    await usher(['content', 'diff', where, '--url', server.url, '--key', key], {})
  expect(await diff(folder, 'ak_wrong')).toMatchObject({ code: 2, stderr: expect.stringContaining('answers 401') })
  expect(await diff(join(folder, 'none'), server.key)).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('cannot be read') },
  })
})

it('a folder without tests ends with 2, as 1 says that a test failed', async () => {
  const folder = await contentFolder({ 'banner.json': exampleBanner })
  const test = async (where: string) => await usher(['content', 'test', where], {})
  expect(await test(folder)).toMatchObject({ code: 2, stderr: expect.stringContaining('There is no test') })
  expect(await test(join(folder, 'none'))).toMatchObject({ code: 2, stderr: expect.stringContaining('cannot be read') })
})

it('tests run without a server, and a failure says what was expected and why it is otherwise', async () => {
  const seats = { attribute: 'seats', is: 'at_least', value: 5 }
  const who = { all: [seats, { event: 'report_made', at_least: 2, within: '7d' }] }
  const events = [
    { name: 'report_made', time: '1d' },
    { name: 'report_made', time: '2d' },
    { name: 'report_made', time: '9d' },
  ]
  const tests = [
    {
      name: 'large teams',
      user: { attributes: { seats: 9 } },
      events,
      expect: { shown: ['maintenance', 'first-report'] },
    },
    {
      name: 'small teams',
      user: { attributes: { seats: 3 } },
      events,
      expect: { content: 'first-report', outcome: 'show' },
    },
    {
      name: 'once',
      user: { attributes: { seats: 9 } },
      events,
      seen: { 'first-report': { time: '1d' } },
      expect: { content: 'first-report', reason: 'already_seen' },
    },
  ]
  const folder = await contentFolder({
    'flow.json': { ...flow, when: undefined, who },
    'banner.json': exampleBanner,
    'flow.test.json': { tests },
  })
  const { code, stdout } = await usher(['content', 'test', folder], {})
  expect(code).toBe(1)
  expect(stdout).toContain('✓ large teams')
  expect(stdout).toContain('✓ once')
  expect(stdout).toContain(`  × small teams
      outcome
        expected "show"
        received "hide"
      because
        Not shown: seats is 3, at least 5 are needed`)
  expect(stdout).toContain('1 failed, 2 passed')
})

it.each([
  ['a misspelt field', { expect: { show: ['a'] } }, 'expect.show: is not a known field'],
  ['a misspelt list', { event: [], expect: { shown: [] } }, 'event: is not a known field'],
  ['nothing expected', { tests: [{ expect: {} }] }, 'tests[0].expect: expects nothing'],
  ['nothing of a content', { expect: { content: 'a' } }, 'expect: expects nothing of its content'],
  ['an outcome of no content', { expect: { outcome: 'hide' } }, 'expect.content: is required: whose outcome'],
  ['no tests', { tests: [] }, 'tests: must have at least 1 item'],
  ['another value', [], 'must be an object'],
  ['a list that is none', { groups: {}, expect: { shown: [] } }, 'groups: must be a list'],
  ['a group of another user', { group: 'g', expect: { shown: [] } }, 'group: `g` is not one of the groups'],
  [
    'a time',
    { events: [{ name: 'x', time: 'soon' }], expect: { shown: [] } },
    'events[0].time: must be a date-time, or',
  ],
  [
    'a duration',
    { guidance: { quiet: 'soon' }, expect: { shown: [] } },
    'guidance.quiet: must be a whole number with s',
  ],
  ['a condition', { segments: { s: { x: 1 } }, expect: { shown: [] } }, 'segments.s.x: is not known here'],
  ['an attribute', { user: { attributes: { a: [1] } }, expect: { shown: [] } }, 'user.attributes.a: must be a text'],
])('a test with %s is a problem, not a test that passes', async (_, test, problem) => {
  const folder = await contentFolder({ 'banner.json': exampleBanner, 'banner.test.json': test })
  const { code, stdout } = await usher(['content', 'test', folder], {})
  expect([code, stdout]).toEqual([2, expect.stringContaining(`banner.test.json: ${problem}`)])
})

it('a test names the step that a flow comes to by itself: hidden steps go by attributes, events and segments', async () => {
  const dialog = (key: string) => ({
    key,
    type: 'dialog',
    blocks: [{ heading: key }],
    buttons: [{ label: 'OK', do: [{ next: true }] }],
  })
  const branching = {
    ...{ key: 'branching', type: 'flow', name: 'Branching' },
    steps: [
      {
        ...{ key: 'choose', type: 'hidden', timeout: { after: '1m', to: 'other' } },
        wait_until: { event: 'ready' },
        advance: [
          { on: 'condition', condition: { attribute: 'seats', is: 'more', value: 5 }, to: 'large' },
          { on: 'otherwise' },
        ],
      },
      dialog('other'),
      dialog('large'),
    ],
  }
  const events = [{ name: 'ready' }]
  const at = (name: string, seats: number, step: string, more = {}) => ({
    name,
    user: { attributes: { seats } },
    events,
    ...more,
    expect: { content: 'branching', step },
  })
  const tests = [
    at('large', 9, 'large'),
    at('small', 3, 'other'),
    at('waits', 9, 'choose', { events: [] }),
    at('wrong', 3, 'large'),
  ]
  const folder = await contentFolder({ 'branching.json': branching, 'branching.test.json': { tests } })
  const { code, stdout } = await usher(['content', 'test', folder], {})
  expect(code).toBe(1)
  expect(stdout).toContain('step\n        expected "large"\n        received "other"')
  expect(stdout).toContain('1 failed, 3 passed')
})
