import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Condition, Outcome, TimeLeaf } from '../../contract/conditions/condition.ts'
import { conditionProblems } from '../../contract/conditions/problems.ts'
import {
  answerUsers,
  castOf,
  contentUsers,
  eventUsers,
  fillCast,
  NOW,
  segmentUsers,
} from '../../test/support/condition-cast.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { outcomesInMemory, outcomesInSql, type Question } from '../../test/support/two-forms.ts'
import type { SegmentLookup } from './compile.ts'
import { countStatement } from './count-sql.ts'
import { needsGroup } from './members-sql.ts'

/** What each leaf means: for whom it holds, and for whom it is not known. For all others it does not hold. */
type Case = [Condition, fitting: string[], unknown?: string[]]

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase({ jit: 'off' })
  await fillCast(test.database)
})
afterAll(async () => await test.close())

const segments: SegmentLookup = (key) => {
  const condition = named[key]
  return condition && { name: key, condition }
}
const named: Record<string, Condition> = {
  growth: { attribute: 'plan', is: 'equals', value: 'growth' },
  outer: { not: { segment: 'growth', is: 'in' } },
  unknown: { event: 'exported', where: [{ attribute: 'pages', is: 'more', value: 9 }] },
  itself: { segment: 'itself', is: 'in' },
}

/** Both forms, each leaf and its negation, and the number of each leaf among many, which is counted in one scan. */
async function expectCases(
  asked: Omit<Question, 'segments' | 'now'>,
  ids: readonly string[],
  cases: readonly Case[],
  now = NOW,
) {
  const question: Question = { ...asked, segments, now }
  const positive = cases.map(([condition]) => condition)
  const conditions = [...positive, ...positive.map((condition) => ({ not: condition }))]
  const [bySql, inMemory] = await Promise.all([
    outcomesInSql(test.database, conditions, question),
    outcomesInMemory(test.database, conditions, question, ids),
  ])
  const isApart = (condition: Condition) => asked.scope === 'user' && needsGroup(condition, segments)
  for (const [index, [condition, fitting, unknown = []]] of cases.entries()) {
    expect([...fitting, ...unknown].filter((id) => !ids.includes(id))).toEqual([])
    const name = JSON.stringify(condition)
    const expected = (id: string): Outcome => (unknown.includes(id) ? null : fitting.includes(id))
    const outcomes = (found: typeof bySql, place: number) => ids.map((id) => [id, found.get(id)?.[place]])
    const holds = ids.map((id) => [id, expected(id)])
    expect(outcomes(inMemory, index), `in memory: ${name}`).toEqual(holds)
    expect(outcomes(bySql, index), `in SQL: ${name}`).toEqual(holds)
    // Of a user with several groups one may fit and another not: then neither the condition nor its negation is false.
    if (isApart(condition)) continue
    const opposite = ids.map((id) => [id, expected(id) === null ? null : !expected(id)])
    expect(outcomes(inMemory, cases.length + index), `in memory: not ${name}`).toEqual(opposite)
    expect(outcomes(bySql, cases.length + index), `in SQL: not ${name}`).toEqual(opposite)
  }
  await expectLines(
    question,
    cases.filter(([condition]) => isLeaf(condition)),
  )
}

const isLeaf = (condition: Condition) => !('all' in condition || 'any' in condition || 'not' in condition)

async function expectLines(question: Question, cases: readonly Case[]) {
  const leaves = cases.map(([condition]) => condition)
  const { text, values } = countStatement({ ...question, condition: { any: leaves } }, 1)
  const [counts] = await test.database.queryUnprepared<Record<string, number>>(text, values)
  // A single leaf is counted as the whole.
  const lines = leaves.map((leaf, index) => [leaf, counts?.[leaves.length === 1 ? 'whole' : `line_${index}`]])
  expect(lines).toEqual(cases.map(([leaf, fitting]) => [leaf, fitting.length]))
}

const visitedEver = [
  'once',
  'twice',
  'thrice, one long ago',
  'just now',
  '7 days ago',
  'over 7 days ago',
  'when created',
  'before created',
]
const exported = ['exported 5', 'exported 6', 'exported "6"', 'exported nothing said', 'exported too often']
const isNot = (ids: readonly string[], all: object) => Object.keys(all).filter((id) => !ids.includes(id))

describe('a leaf means the same in memory and in SQL, so does its negation, and a scan counts it by itself', () => {
  const eventCases: Case[] = [
    [{ event: 'visited' }, visitedEver],
    [{ event: 'visited', at_least: 1 }, visitedEver],
    [{ event: 'visited', at_least: 2 }, ['twice', 'thrice, one long ago']],
    [{ event: 'visited', at_least: 3 }, ['thrice, one long ago']],
    [{ event: 'visited', at_least: 1000 }, []],
    [{ event: 'visited', at_most: 0 }, isNot(visitedEver, eventUsers)],
    [{ event: 'visited', at_most: 1 }, isNot(['twice', 'thrice, one long ago'], eventUsers)],
    [{ event: 'visited', at_most: 2 }, isNot(['thrice, one long ago'], eventUsers)],
    [{ event: 'visited', within: '7d' }, ['once', 'twice', 'thrice, one long ago', 'just now', '7 days ago']],
    [{ event: 'visited', within: '7d', at_least: 3 }, []],
    [{ event: 'visited', within: '1s' }, ['just now']],
    [
      { event: 'visited', since: '2026-05-25T12:00:00Z', at_most: 0 },
      isNot(['once', 'twice', 'thrice, one long ago', 'just now', '7 days ago'], eventUsers),
    ],
    [{ event: 'visited', since: 'created_at' }, visitedEver.filter((id) => id !== 'before created')],
    [{ event: 'visited', since: '2030-01-01' }, []],
    [{ event: 'visited', within: '1s', since: '2026-05-25T12:00:00Z' }, ['just now']],
    [{ event: 'visited', within: '7d', since: '2030-01-01' }, []],
    [{ event: 'visited', within: '999999d', since: 'created_at' }, visitedEver.filter((id) => id !== 'before created')],
    [{ event: 'never seen', at_most: 0 }, Object.keys(eventUsers)],
    [
      { event: 'exported', where: [{ attribute: 'pages', is: 'exists' }] },
      exported.filter((id) => id !== 'exported nothing said'),
    ],
    [
      { event: 'exported', where: [{ attribute: 'pages', is: 'at_least', value: 6 }] },
      ['exported 6', 'exported too often'],
    ],
    [
      { event: 'exported', where: [{ attribute: 'pages', is: 'not_equals', value: 6 }] },
      ['exported 5', 'exported "6"', 'exported nothing said', 'exported too often'],
    ],
    [
      {
        event: 'exported',
        where: [
          { attribute: 'pages', is: 'between', values: [5, 6] },
          { attribute: 'format', is: 'equals', value: 'pdf' },
        ],
      },
      ['exported 5'],
      ['exported too often'],
    ],
    [
      { event: 'exported', at_least: 2, where: [{ attribute: 'pages', is: 'more', value: 6 }] },
      [],
      ['exported too often'],
    ],
    [
      { event: 'exported', at_most: 0, where: [{ attribute: 'pages', is: 'more', value: 9 }] },
      isNot(['exported too often'], eventUsers),
      ['exported too often'],
    ],
    [
      { event: 'exported', at_most: 0, where: [{ attribute: 'pages', is: 'more', value: 6 }] },
      isNot(['exported too often'], eventUsers),
    ],
    [{ event: 'visited', by: 'group' }, ['in busy', 'in busy and idle']],
    [{ event: 'visited', by: 'group', at_least: 3 }, []],
    [{ event: 'visited', by: 'group', at_most: 0 }, isNot(['in busy'], eventUsers)],
    [{ not: { event: 'visited', by: 'group', at_least: 2 } }, isNot(['in busy'], eventUsers)],
    [{ event: 'visited', by: 'group', within: '1d', at_most: 1 }, Object.keys(eventUsers)],
  ]
  it('event', async () => {
    const asked = { environmentId: castOf.event, scope: 'user', keptDays: undefined } as const
    await expectCases(asked, Object.keys(eventUsers), eventCases)
  })

  it('event, where events are kept for 7 days', async () => {
    const asked = { environmentId: castOf.event, scope: 'user', keptDays: 7 } as const
    const kept = ['once', 'twice', 'thrice, one long ago', 'just now', '7 days ago']
    await expectCases(asked, Object.keys(eventUsers), [
      [{ event: 'visited' }, kept],
      [{ event: 'visited', within: '8d' }, kept],
      [{ event: 'visited', within: '1d' }, kept.filter((id) => id !== '7 days ago')],
      [{ event: 'visited', since: 'created_at' }, kept],
      [{ event: 'visited', at_least: 3 }, []],
      [{ event: 'visited', at_most: 0 }, isNot(kept, eventUsers)],
    ])
  })

  it('event, of groups', async () => {
    const asked = { environmentId: castOf.event, scope: 'group', keptDays: undefined } as const
    await expectCases(
      asked,
      ['busy', 'idle'],
      [
        [{ event: 'visited', by: 'group' }, ['busy']],
        [{ event: 'visited', by: 'group', at_least: 3 }, []],
        [{ event: 'visited', by: 'group', at_most: 1 }, ['idle']],
        [{ event: 'visited', by: 'group', within: '1d', at_most: 1 }, ['busy', 'idle']],
      ],
    )
  })

  const runsNow = ['runs now']
  const seen = isNot(
    ['saw nothing', 'saw another', 'runs what is not published', 'saw what started anew'],
    contentUsers,
  )
  const contentCases: Case[] = [
    [{ content: 'tour', is: 'seen' }, seen],
    [{ content: 'tour', is: 'seen', within: '7d' }, ['runs now', 'saw it 7 days ago']],
    [{ content: 'tour', is: 'not_seen' }, isNot(seen, contentUsers)],
    [{ content: 'tour', is: 'not_seen', within: '7d' }, isNot(['runs now', 'saw it 7 days ago'], contentUsers)],
    [{ content: 'tour', is: 'completed' }, ['completed it 7 days ago', 'completed it over 7 days ago']],
    [{ content: 'tour', is: 'completed', within: '7d' }, ['completed it 7 days ago']],
    [{ content: 'tour', is: 'dismissed' }, ['dismissed it 7 days ago', 'dismissed it over 7 days ago']],
    [{ content: 'tour', is: 'dismissed', within: '7d' }, ['dismissed it 7 days ago']],
    [{ content: 'tour', is: 'active' }, runsNow],
    [{ content: 'unpublished', is: 'active' }, []],
    [{ content: 'unpublished', is: 'seen' }, ['runs what is not published']],
    [{ content: 'anew', is: 'seen' }, []],
    [{ content: 'anew', is: 'completed' }, []],
    [{ content: 'anew', is: 'not_seen' }, Object.keys(contentUsers)],
    [{ content: 'no-such-content', is: 'seen' }, []],
    [{ content: 'no-such-content', is: 'not_seen' }, Object.keys(contentUsers)],
  ]
  it('content', async () => {
    const asked = { environmentId: castOf.content, scope: 'user', keptDays: undefined } as const
    await expectCases(asked, Object.keys(contentUsers), contentCases)
  })

  const ease = { answer: 'survey', question: 'ease' } as const
  const nines = ['answered 9', 'answered 3 and then 9']
  const unanswered = ['no answer', 'another question', 'answers are being deleted']
  const answerCases: Case[] = [
    [{ ...ease, is: 'equals', value: 9 }, nines],
    [{ ...ease, is: 'equals', value: '9' }, ['answered "9"']],
    [{ ...ease, is: 'not_equals', value: 9 }, isNot(nines, answerUsers)],
    [{ ...ease, is: 'less', value: 1 }, ['answered 0']],
    [{ ...ease, is: 'at_most', value: 0 }, ['answered 0']],
    [{ ...ease, is: 'more', value: 8 }, nines],
    [{ ...ease, is: 'at_least', value: 9 }, nines],
    [{ ...ease, is: 'between', values: [0, 9] }, ['answered 0', ...nines]],
    [{ ...ease, is: 'contains', value: 'el' }, ['answered Well']],
    [{ ...ease, is: 'contains', value: '"b"' }, ['chose a and b']],
    [{ ...ease, is: 'equals', value: '["a","b"]' }, ['chose a and b']],
    [{ ...ease, is: 'one_of', values: ['["a","b"]'] }, ['chose a and b']],
    [{ ...ease, is: 'not_contains', value: 'el' }, isNot(['answered Well'], answerUsers)],
    [{ ...ease, is: 'starts_with', value: 'wE', ignore_case: true }, ['answered Well']],
    [{ ...ease, is: 'ends_with', value: 'll' }, ['answered Well']],
    [{ ...ease, is: 'one_of', values: ['Well', '9'] }, ['answered Well', 'answered "9"']],
    [{ ...ease, is: 'none_of', values: ['Well', '9'] }, isNot(['answered Well', 'answered "9"'], answerUsers)],
    [{ ...ease, is: 'true' }, []],
    [{ ...ease, is: 'false' }, []],
    [{ ...ease, is: 'before', value: '2026-06-02' }, ['answered 2026-06-01']],
    [{ ...ease, is: 'after', value: '2026-06-01' }, []],
    [{ ...ease, is: 'less_than_ago', value: '13h' }, ['answered 2026-06-01']],
    [{ ...ease, is: 'more_than_ago', value: '12h' }, []],
    [{ ...ease, is: 'within_next', value: '1d' }, []],
    [{ ...ease, is: 'more_than_ahead', value: '1d' }, []],
    [{ ...ease, is: 'exists' }, isNot(unanswered, answerUsers)],
    [{ ...ease, is: 'missing' }, unanswered],
    [{ answer: 'survey', question: 'never asked', is: 'exists' }, []],
    [{ answer: 'no-such-content', question: 'ease', is: 'missing' }, Object.keys(answerUsers)],
  ]
  it('answer', async () => {
    const asked = { environmentId: castOf.answer, scope: 'user', keptDays: undefined } as const
    await expectCases(asked, Object.keys(answerUsers), answerCases)
  })

  const everybody = Object.keys(segmentUsers)
  const segmentCases: Case[] = [
    [{ segment: 'growth', is: 'in' }, ['on growth']],
    [{ segment: 'growth', is: 'not_in' }, ['on none', 'too many events']],
    [{ segment: 'outer', is: 'in' }, ['on none', 'too many events']],
    [{ segment: 'outer', is: 'not_in' }, ['on growth']],
    [{ segment: 'unknown', is: 'in' }, [], ['too many events']],
    [{ segment: 'unknown', is: 'not_in' }, ['on growth', 'on none'], ['too many events']],
    [{ segment: 'no-such-segment', is: 'in' }, [], everybody],
    [{ segment: 'no-such-segment', is: 'not_in' }, [], everybody],
    [{ segment: 'itself', is: 'in' }, [], everybody],
    [
      {
        all: [
          { segment: 'unknown', is: 'in' },
          { segment: 'growth', is: 'in' },
        ],
      },
      [],
    ],
    [
      {
        any: [
          { segment: 'unknown', is: 'in' },
          { segment: 'outer', is: 'in' },
        ],
      },
      ['on none', 'too many events'],
    ],
  ]
  it('segment', async () => {
    const asked = { environmentId: castOf.segment, scope: 'user', keptDays: undefined } as const
    await expectCases(asked, everybody, segmentCases)
  })

  const timeCases: [TimeLeaf, fitting: string[], others: string[]][] = [
    [{ after: '2026-06-01T00:00:00Z' }, ['2026-06-01T00:00:00Z', '2027-01-01'], ['2026-05-31T23:59:59.999Z']],
    [{ before: '2026-06-01T00:00:00Z' }, ['2026-05-31T23:59:59.999Z'], ['2026-06-01T00:00:00Z']],
    [
      { after: '2026-06-01', before: '2026-06-02' },
      ['2026-06-01', '2026-06-01T23:59:59.999Z'],
      ['2026-05-31', '2026-06-02'],
    ],
    [
      { weekdays: ['mon', 'sun'], zone: 'UTC' },
      ['2026-06-01T00:00:00Z', '2026-05-31T23:59:59Z'],
      ['2026-06-02T00:00:00Z', '2026-05-30T23:59:59Z'],
    ],
    // In Berlin it is two hours later, in winter one.
    [
      { weekdays: ['mon'], zone: 'Europe/Berlin' },
      ['2026-05-31T22:00:00Z', '2026-01-04T23:00:00Z'],
      ['2026-05-31T21:59:59.999Z', '2026-01-04T22:59:59.999Z', '2026-06-01T22:00:00Z'],
    ],
    [
      { from: '09:00', to: '17:00', zone: 'UTC' },
      ['2026-06-01T09:00:00Z', '2026-06-01T16:59:59.999Z'],
      ['2026-06-01T08:59:59.999Z', '2026-06-01T17:00:00Z'],
    ],
    [
      { from: '22:00', to: '06:00', zone: 'UTC' },
      ['2026-06-01T22:00:00Z', '2026-06-02T05:59:59Z'],
      ['2026-06-01T06:00:00Z', '2026-06-01T21:59:59Z'],
    ],
    [
      { weekdays: ['mon'], from: '09:00', to: '17:00', zone: 'America/New_York' },
      ['2026-06-01T13:00:00Z'],
      ['2026-06-01T09:00:00Z', '2026-06-02T13:00:00Z'],
    ],
  ]
  it.each(timeCases)('time: %j', async (leaf, fitting, others) => {
    const asked = { environmentId: castOf.segment, scope: 'user', keptDays: undefined } as const
    expect(conditionProblems(leaf, 'who', '')).toEqual([])
    for (const time of [...fitting, ...others])
      await expectCases(asked, everybody, [[leaf, fitting.includes(time) ? everybody : []]], Date.parse(time))
  })
})
