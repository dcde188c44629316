import { afterAll, beforeAll, expect, it } from 'vitest'
import { differencesOf } from '../../contract/content/differences.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { exampleBanner, exampleChecklist, exampleFlow, exampleLauncher } from '../../contract/content/examples.ts'
import { formatDocument } from '../../contract/content/format.ts'
import { publishingProblems, publishingWarnings } from '../../contract/content/publishing.ts'
import { render } from '../../contract/content/render.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { documentProblems } from '../../contract/content/validate.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.client.post('/users', { id: 'u' })
})
afterAll(() => server.close())

const examples = [exampleFlow, exampleChecklist, exampleBanner, exampleLauncher]
const hostile: unknown[] = [
  ...[null, true, 0, -1, 1e308, '', ' ', '__proto__', 'constructor', '\u0000', '\ud800', '\u202e', 'x'.repeat(5_000)],
  ...[
    [],
    {},
    [[]],
    { all: [] },
    { not: {} },
    { any: [{ all: [{}] }] },
    '{{',
    '{{ user.x',
    '[a](javascript:x)',
    '***[_`{{',
  ],
  ...[
    '../..',
    '//x',
    'https://x.y/{{ user.a }}',
    'css=((((',
    'role=button[name="',
    `${'9'.repeat(30)}d`,
    { event: 'e', at_least: 1e9 },
  ],
]

/** A document with some of its values replaced, removed or repeated. */
function mutated(seed: number): unknown {
  let state = seed * 7919 + 1
  const below = (most: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % most
  }
  const document = structuredClone(examples[seed % examples.length]) as unknown as Record<string, unknown>
  for (let change = 0; change <= below(3); change++) {
    let at: Record<string, unknown> = document
    for (;;) {
      const names = Object.keys(at)
      const name = names[below(Math.max(names.length, 1))]
      if (name === undefined) break
      const inner = at[name]
      if (typeof inner === 'object' && inner !== null && below(4) > 0) {
        at = inner as Record<string, unknown>
        continue
      }
      const kind = below(6)
      if (kind === 0 && !Array.isArray(at)) delete at[name]
      else if (kind === 1) at[Array.isArray(at) ? String(names.length) : `x${name}`] = inner
      else at[name] = hostile[below(hostile.length)]
      break
    }
  }
  return document
}

it('nothing that works on a document fails for one that was accepted, and nothing of 3,000 is refused without a place', () => {
  const known = { segments: new Map(), content: new Set<string>(), themes: new Map(), attributes: new Map() }
  let accepted = 0
  for (let seed = 0; seed < 3_000; seed++) {
    const value = mutated(seed)
    const problems = documentProblems(value)
    for (const { message } of problems) expect(message, `seed ${seed}`).toMatch(/\S/)
    if (problems.length > 0) continue
    accepted += 1
    const document = value as ContentDocument
    publishingProblems(document, known)
    publishingWarnings(document, known)
    differencesOf(examples[0], document)
    expect(documentProblems(JSON.parse(formatDocument(document)))).toEqual([])
    const rendered = render({
      ...{ id: 'i', versionId: 'v', document, theme: defaultTheme, values: () => undefined, outcome: () => null },
      idOf: (_, key) => key,
    })
    expect(JSON.stringify(rendered)).not.toMatch(/"(?:href|open|image|video)":"javascript:/)
  }
  expect(accepted).toBeGreaterThan(100)
})

it('the API answers every one with 200 or 400, and decides about what it took', async () => {
  for (let seed = 0; seed < 120; seed++) {
    const { status, body } = await server.client.post('/content', mutated(seed) as object)
    expect([200, 400], `seed ${seed}: ${JSON.stringify(body).slice(0, 300)}`).toContain(status)
    if (status !== 200) continue
    const published = await server.client.post(`/content/${body.id}/publish`, { dry_run: seed % 2 === 0 })
    expect([200, 400], `seed ${seed}`).toContain(published.status)
  }
  expect((await server.client.post('/decisions', { user_id: 'u', receipts: true })).status).toBe(200)
})

it('a document of thousands of levels is refused, however it is nested', async () => {
  const text = JSON.stringify({ ...exampleFlow, who: 'deep' })
  const deep = (open: string, close: string) => text.replace('"deep"', `${open.repeat(7_000)}{}${close.repeat(7_000)}`)
  for (const body of [deep('{"not":', '}'), deep('[', ']')]) {
    const { status, body: answer } = await server.client.send('POST', '/content', body)
    expect([status, answer.error.message]).toEqual([400, 'the document has more than 40 levels'])
  }
})
