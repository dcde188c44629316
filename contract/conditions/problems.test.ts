import { expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { conditionProblems, type Place } from './problems.ts'

const texts = (condition: unknown, place: Place = 'who') =>
  conditionProblems(condition, place, 'who').map(({ path, message }) => `${path}: ${message}`)

const event = { event: 'x' }
const nested = (levels: number): unknown => (levels === 1 ? event : { not: nested(levels - 1) })

it.each([
  [
    { all: [event, event, { event: 'x', within: 7 }] },
    'who.all[2].within: must be a duration such as 7d (s, m, h, d or w), at most 999999, or 99999w',
  ],
  [
    { event: 'x', within: '100000w' },
    'who.within: must be a duration such as 7d (s, m, h, d or w), at most 999999, or 99999w',
  ],
  [{ all: [] }, 'who.all: must not be empty'],
  [{ any: event }, 'who.any: must be a list of conditions'],
  [null, 'who: must be an object: all, any, not, or a leaf such as { "event": "task_completed" }'],
  [{}, 'who: is empty; it needs all, any, not, or a leaf such as { "event": "task_completed" }'],
  [{ all: [event], event: 'y' }, 'who.event: does not go with all; put it into a leaf of its own'],
  [nested(limits.conditionLevels + 1), `who${'.not'.repeat(8)}: is below level 8; put it into a segment`],
  [
    { evnt: 'x' },
    'who.evnt: is not known here; use attribute, event, content, segment, answer, url, element, input, viewport, locale, after, before, weekdays',
  ],
  [
    { atribute: 'plan', is: 'equals', value: 'trial' },
    'who.atribute: is not known here; use attribute, event, content, segment, answer, url, element, input, viewport, locale, after, before, weekdays',
  ],
  [{ event: 'x', at_least: 0 }, 'who.at_least: must be a whole number from 1 to 1000'],
  [{ event: 'x', at_most: 1001 }, 'who.at_most: must be a whole number from 0 to 1000'],
  [{ event: 'x', at_least: 2, at_most: 3 }, 'who.at_most: does not go with at_least; use two leaves in all'],
  [{ event: 'x', since: 'once' }, 'who.since: must be a date-time such as 2026-01-03T09:30:00Z, or created_at'],
  [{ event: 'x', where: [] }, 'who.where: must be a list of 1 to 5 attribute leaves'],
  [{ event: 'x', where: [{ attribute: 'a', is: 'equals' }] }, 'who.where[0].value: is required'],
  [{ event: 'a/b' }, 'who.event: must be 1 to 100 characters out of a-z, A-Z, 0-9, underscore, dash and space'],
  [
    { attribute: 'a', is: 'equals', value: true },
    'who.value: must be a text or a number; for booleans use is: "true" or is: "false"',
  ],
  [{ attribute: 'a', is: 'less', value: '5' }, 'who.value: must be a number'],
  [
    { attribute: 'a', is: 'contains', value: '' },
    'who.value: must not be empty; use exists to ask whether there is a value',
  ],
  [
    { attribute: 'a', is: 'one_of', value: 'x' },
    'who.value: is not used by one_of; use values\nwho.values: is required',
  ],
  [
    { attribute: 'a', is: 'one_of', values: ['x', 5] },
    'who.values: item 2 of 2 must be a text of at most 8192 characters, without a NUL character or a lone surrogate',
  ],
  [{ attribute: 'a', is: 'between', values: [5, 1] }, 'who.values: must have the lower number first'],
  [{ attribute: 'a', is: 'exists', value: 1 }, 'who.value: is not used by exists; leave it out'],
  [
    { attribute: 'a', is: 'less', value: 1, ignore_case: true },
    'who.ignore_case: has no meaning with less; leave it out',
  ],
  [
    { attribute: 'a', is: 'after', value: '2026-02-31' },
    'who.value: "2026-02-31" is a day or a time that does not exist; send an ISO 8601 date-time such as 2026-01-03T09:30:00Z',
  ],
  [
    { attribute: 'a', is: 'equals', value: 'a\0' },
    'who.value: must be a text of at most 8192 characters, without a NUL character or a lone surrogate',
  ],
  [
    { segment: 'Staff', is: 'in' },
    'who.segment: must be 1 to 64 characters out of a-z, 0-9, dash and underscore, and begin with a letter or a digit',
  ],
  [{ content: 'welcome', is: 'active', within: '7d' }, 'who.within: has no meaning with active; leave it out'],
  [{ weekdays: ['mon'] }, 'who.zone: is required, such as Europe/Berlin'],
  [
    { after: '2026-02-01T00:00:00+01:00', before: '2026-01-31T23:00:00Z' },
    'who.before: must be later than after; otherwise it never holds',
  ],
  [
    { from: '00:00', to: '00:00', zone: 'Europe/Berlin' },
    'who.to: must not be the same as from; for the whole day leave both out',
  ],
  [{ zone: 'Europe/Berlin' }, 'who.weekdays: is required, or from and to'],
  [
    { from: '09:00', zone: 'Europe/Nowhere' },
    'who.zone: must be a time zone such as Europe/Berlin\nwho.to: is required: from and to go together',
  ],
  [
    { after: '2026-01-01', weekdays: ['mon'] },
    'who.weekdays: does not go with after and before; use two leaves in all',
  ],
  [{ url: '/x' }, 'who.url: is decided in the page; use it in where, advance or visible_when'],
])('%j is refused with its path and the remedy', (condition, expected) => {
  expect(texts(condition).join('\n')).toBe(expected)
})

it.each([
  [['export'], 'item 1 of 1 must begin with testid=, role=, text= or css='],
  [['testid=a', 'css= '], 'item 2 of 2 has nothing behind the equals sign'],
  // The script could not read it: it would find nothing, and `absent` would hold everywhere.
  [['role=button[name=Export]'], 'item 1 of 1 must be written as role=button or role=button[name="Export"]'],
  [['css=a[b'], 'item 1 of 1 has brackets or quotes that are not closed'],
  [
    [`css=${'a'.repeat(497)}`],
    'item 1 of 1 must be a text of 1 to 500 characters, without a NUL character or a lone surrogate',
  ],
])('the locators %j of a condition are refused as those of a target are', (locators, expected) => {
  expect(texts({ element: locators, is: 'absent' }, 'page')).toEqual([`who.element: ${expected}`])
  expect(texts({ input: locators, is: 'filled' }, 'page')).toEqual([`who.input: ${expected}`])
})

it.each(['constructor', 'toString', '__proto__'])('%s is an operator as unknown as any other', (is) => {
  expect(texts({ attribute: 'a', is, value: 1 })).toEqual([expect.stringContaining('who.is: must be one of equals, ')])
})

it('a width that is at least more than it is at most is refused, as it never holds', () => {
  const width = (viewport: object) => conditionProblems({ viewport }, 'page', 'where').map(({ path }) => path)
  expect(width({ at_least: 800, at_most: 600 })).toEqual(['where.viewport.at_most'])
  expect(width({ at_least: 800, at_most: 800 })).toEqual([])
})

it('names every problem at once', () => {
  expect(texts({ all: [{ event: 'x', within: '7' }, { any: [] }, { attribute: 'a', is: 'is' }] })).toHaveLength(3)
})

it('allows 100 leaves and 8 levels, and no more', () => {
  const leaves = (count: number) => ({ all: Array.from({ length: count }, () => event) })
  expect(texts(leaves(100))).toEqual([])
  expect(texts(nested(8))).toEqual([])
  expect(texts({ all: [leaves(60), leaves(41)] })).toEqual([
    'who: has 101 leaves; at most 100 are allowed. Put parts into segments',
  ])
  expect(texts(leaves(101))).toEqual(['who.all: has 101 parts; at most 100 are allowed'])
})

it('a segment of groups has leaves about groups only', () => {
  expect(
    texts(
      {
        all: [
          { attribute: 'plan', of: 'group', is: 'exists' },
          { event: 'x', by: 'group' },
        ],
      },
      'group',
    ),
  ).toEqual([])
  expect(
    texts({ all: [{ attribute: 'plan', is: 'exists' }, event, { content: 'x', is: 'seen' }] }, 'group').map(
      (text) => text.split(': ')[0],
    ),
  ).toEqual(['who.all[0].of', 'who.all[1].by', 'who.all[2].content'])
})

it.each([
  '/',
  '/projects/*',
  '/a/**',
  'https://app.example.com/x',
  'https://*.example.com/**',
  '/x?tab=usage&a',
  '/x?tab=*',
])('%s is a pattern of addresses', (url) => expect(texts({ url }, 'page')).toEqual([]))

it.each(['', 'projects', '/a*', '/a b', '/x#y', 'ftp://x/', '/x?a=b?c', '/(a|b)?+*', 5])(
  '%s is no pattern of addresses',
  (url) => expect(texts({ url }, 'page')[0]).toContain('who.url: must be a pattern'),
)

it('of a hostile condition the first 100 problems are told', () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]))
  for (const condition of [fields, { all: [event], ...fields }, { all: [{ viewport: fields }] }])
    expect(conditionProblems(condition, 'page', 'where')).toHaveLength(100)
})
