import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import type { Condition } from '../conditions/condition.ts'
import type { DocumentProblem } from './check.ts'
import { exampleBanner, exampleChecklist, exampleFlow, exampleLauncher } from './examples.ts'
import { contentSchema } from './schema.ts'
import { documentProblems } from './validate.ts'

const fits = new Ajv2020({ strict: false, validateFormats: true }).compile(contentSchema)

/** What the server refuses and JSON Schema cannot say, or not as well: `docs/document.md` lists it. */
const SERVER_ONLY = [
  // How large something is as a whole, and what is the same twice.
  /^the document has \d+ (?:levels|bytes)/,
  /^is below level \d+/,
  /^has \d+ leaves/,
  /^has \d+ parts/,
  /and another one has this key already$/,
  // Which of two values is greater, or whether they are the same.
  /must have the lower number first/,
  /must be later than after/,
  /must not be less than at_least/,
  /must not be the same as from/,
  // Days, times and zones that do not exist.
  /is a day or a time that does not exist/,
  /must be a date-time such as \S+, or created_at$/,
  /must be a time zone such as/,
  // What has a grammar of its own: selectors, templates, Markdown, addresses, hosts of videos.
  /has brackets or quotes that are not closed/,
  /is not a template/,
  /must be an address with http/,
  /a template may stand only after the host/,
  /must not contain spaces, backslashes or control characters/,
  /must be the https address of a video/,
  // A value of another type than its `data_type`.
  /its data_type is "datetime"/,
  /^is "[a-z]+", and the value of/,
]

const isServerOnly = ({ message }: DocumentProblem) => SERVER_ONLY.some((rule) => rule.test(message))

/** The verdicts fit: what the schema refuses, the server refuses; what the server alone refuses is one of the listed rules. */
function compare(document: unknown): void {
  const problems = documentProblems(document)
  const texts = problems.map(({ path, message }) => `${path}: ${message}`)
  if (fits(document))
    expect([JSON.stringify(document), problems.every(isServerOnly) ? [] : texts]).toEqual([expect.anything(), []])
  else
    expect([fits.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`), texts.length > 0]).toEqual([
      expect.anything(),
      true,
    ])
}

const server: Condition[] = [
  { attribute: 'plan', of: 'group', is: 'one_of', values: ['growth', 'scale'], ignore_case: true },
  { attribute: 'seats', is: 'between', values: [1, 5] },
  { attribute: 'seats', of: 'membership', is: 'at_least', value: 5 },
  { attribute: 'admin', is: 'true' },
  { attribute: 'name', is: 'equals', value: 'Ada', ignore_case: false },
  { attribute: 'name', is: 'starts_with', value: 'A' },
  { attribute: 'born', is: 'before', value: '2026-01-03T09:30:00Z' },
  { attribute: 'born', is: 'less_than_ago', value: '7d' },
  { event: 'report made', at_least: 3, within: '7d', since: 'created_at', by: 'group' },
  { event: 'report made', at_most: 0, since: '2026-01-03', where: [{ attribute: 'size', is: 'more', value: 3 }] },
  { content: 'welcome', is: 'seen', within: '4w' },
  { content: 'welcome', is: 'active' },
  { segment: 'large', is: 'not_in' },
  { answer: 'survey', question: 'ease', is: 'less', value: 7 },
  { after: '2026-01-03T09:30:00Z', before: '2027-01-03' },
  { weekdays: ['mon', 'tue'], from: '09:00', to: '17:00', zone: 'Europe/Berlin' },
]
const browser: Condition[] = [
  { url: '/projects/*' },
  { url: 'https://*.example.com:8080/a/**?tab=usage&x=*' },
  { element: ['testid=export'], is: 'clicked' },
  { input: ['css=#name'], is: 'filled' },
  { input: ['css=#name'], is: 'contains', value: 'x' },
  { viewport: { at_least: 600, at_most: 1_200 } },
  { locale: ['de', 'pt-BR'] },
]

const flow = {
  ...exampleFlow,
  who: { all: [...server, { not: { any: server } }] },
  where: { any: [...browser, ...server] },
  when: { frequency: { every: '7d' }, at_most: 3, wait: '2s', priority: 60, exempt_from_quiet: true },
  theme: 'default',
  startable: true,
  steps: [
    {
      key: 'all-blocks',
      type: 'tooltip',
      name: 'All',
      target: {
        locators: ['testid=export', 'role=button[name="Export"]', 'text=Export', 'css=#export'],
        placement: 'bottom',
        timeout: '5s',
        on_missing: 'skip',
      },
      blocks: [
        { heading: 'Hi {{ user.name | there }}' },
        { text: 'As **PDF**' },
        { image: 'https://example.com/a.png', alt: '' },
        { video: 'https://youtu.be/abc', title: 'How' },
        { divider: true },
        { question: 'ease', kind: 'nps', label: 'How?', low: 'hard', high: 'easy', required: true },
        { question: 'use', kind: 'choice', label: 'What?', options: ['a', 'b'], multiple: true, other: 'Else' },
        { question: 'why', kind: 'text', label: 'Why?', long: true },
      ],
      buttons: [
        {
          label: 'Go',
          style: 'primary',
          do: [
            { set: 'seen', value: true },
            { track: 'went', attributes: { how: 'x' } },
          ],
        },
        { label: 'Open', do: [{ open: '/projects', in: 'new' }, { start: 'other' }, { end: 'dismissed' }] },
        { label: 'Add', do: [{ set: 'count', value: { add: 1, data_type: 'number' } }, { go_to: 'hidden' }] },
      ],
      advance: [
        { on: 'target_click', to: 'hidden' },
        { on: 'target_input', end: 'completed' },
        { on: 'condition', condition: { url: '/next' } },
      ],
      timeout: { after: '30s', to: 'hidden' },
      closable: false,
    },
    {
      key: 'hidden',
      type: 'hidden',
      wait_until: browser[0],
      advance: [{ on: 'otherwise' }],
      timeout: { after: '1m', to: 'all-blocks' },
    },
  ],
}
const checklist = {
  ...exampleChecklist,
  text: 'Some *more*',
  tasks: [
    {
      key: 'a',
      name: 'A',
      text: 'T',
      button: 'B',
      do: [{ next: true }],
      complete_when: server[8],
      visible_when: browser[0],
    },
  ],
  position: 'bottom_left',
  starts_open: true,
  dismissible: false,
}
const corpus: readonly unknown[] = [exampleFlow, exampleChecklist, exampleBanner, exampleLauncher, flow, checklist]

const oddValues: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1,
    5,
    7.5,
    1e21,
    '',
    ' ',
    'x',
    'equals',
    'filled',
    'now',
    '7d',
    '0d',
    '1000000d',
    '100000w',
    {},
    [],
  ],
  ...[
    [''],
    ['x'],
    ['x', 'x'],
    [1],
    [5, 1],
    [1, 2, 3],
    [null],
    { all: [] },
    { not: {} },
    { url: '/x' },
    { every: '1x' },
  ],
  ...['#x', 'css=', 'css= ', 'css=a[b', 'role=Button', 'role=button[name="x"]', 'id=x', 'testid=\u0000', 'text=\n'],
  ...['projects', '/a*b', '//x', '/a?b=*&c', '/a?b=**', '/a?', '/a b', 'https://*', 'http://a.b', 'ftp://a/', '?tab=1'],
  ...['2026-02-30', '2026-13-01T00:00:00Z', '20260103T0930Z', '2026-1-3', '2026-W01', 'created_at', '09:00', '24:00'],
  ...[
    'Europe/Nowhere',
    'UTC',
    'de-',
    'de',
    'a\u0001b',
    'a\ud800b',
    '\u0000',
    'javascript:x',
    'http://x.com/a.png',
    '{{ user.x',
  ],
  ...['https://x.com/{{ user.a }}', 'https://u@x.com/', 'nps', 'choice', 'text', 'active', 'hidden', 'A', '__proto__'],
  ...[
    '01890a5d-ac96-774b-bcce-b302099a8057',
    'x'.repeat(65),
    'x'.repeat(9_000),
    Array(11).fill('css=a'),
    Array(101).fill({ event: 'x' }),
  ],
  ...[
    { set: 1, add: 1 },
    { set: [] },
    { data_type: 'number' },
    { set: 1, data_type: 'foo' },
    { set: 'x', data_type: 'number' },
  ],
]

type Key = string | number

/** The places in a document, as paths. */
function placesIn(value: unknown, path: readonly Key[] = []): (readonly Key[])[] {
  const below = (child: unknown, key: Key) => placesIn(child, [...path, key])
  if (Array.isArray(value)) return [path, ...value.flatMap(below)]
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, child]) => below(child, key))]
}

const at = (value: unknown, path: readonly Key[]) =>
  path.reduce((part, key) => (part as Record<Key, unknown>)[key], value)
const places = corpus.flatMap((document) => placesIn(document).map((path) => ({ value: at(document, path), path })))
const keys = [...new Set(places.flatMap(({ path }) => path.filter((key) => typeof key === 'string')))]
const anyValue = fc.oneof(fc.constantFrom(...oddValues), fc.constantFrom(...places.map(({ value }) => value)))

type Change = { do: 'remove' } | { do: 'replace'; by: unknown } | { do: 'add'; key: string; value: unknown }

const anyChange: fc.Arbitrary<Change> = fc.oneof(
  fc.constant<Change>({ do: 'remove' }),
  fc.record({ do: fc.constant('replace' as const), by: anyValue }),
  fc.record({ do: fc.constant('add' as const), key: fc.constantFrom(...keys, 'strange'), value: anyValue }),
)

/** The document with a change at the place of this number. */
function changed(document: unknown, number: number, change: Change): unknown {
  const copy = structuredClone(document)
  const paths = placesIn(copy).slice(1)
  const path = paths[number % paths.length] as readonly Key[]
  const parent = at(copy, path.slice(0, -1)) as Record<Key, unknown>
  const key = path.at(-1) as Key
  if (change.do === 'replace') parent[key] = structuredClone(change.by)
  else if (change.do === 'remove') {
    if (Array.isArray(parent)) parent.splice(key as number, 1)
    else delete parent[key]
  } else {
    const found = parent[key]
    const target = typeof found === 'object' && found !== null && !Array.isArray(found) ? found : parent
    if (Array.isArray(target)) target.push(structuredClone(change.value))
    else (target as Record<string, unknown>)[change.key] = structuredClone(change.value)
  }
  return copy
}

it('the documents that the examples are changed from fit', () => {
  for (const document of corpus) {
    expect(documentProblems(document)).toEqual([])
    expect([fits(document), fits.errors]).toEqual([true, null])
  }
})

it('the published schema refuses what the server refuses, but for what only the server can check', () => {
  const anyDocument = fc
    .tuple(fc.constantFrom(...corpus), fc.array(fc.tuple(fc.nat(), anyChange), { minLength: 1, maxLength: 2 }))
    .map(([document, changes]) => changes.reduce((made, [number, change]) => changed(made, number, change), document))
  fc.assert(fc.property(anyDocument, compare), { numRuns: inject('isLong') ? 30_000 : 1_500 })
})
