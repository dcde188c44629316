import { expect, it } from 'vitest'
import type { AttributeValue } from '../attributes.ts'
import { type Comparison, type Condition, contentStates, type Leaf } from './condition.ts'
import { findingOf } from './finding.ts'
import { kindOf, serverKinds } from './kinds.ts'
import { operators } from './operators.ts'
import { conditionProblems } from './problems.ts'
import { keptCondition } from './retention.ts'
import { sentenceOf } from './sentence.ts'

/** Each operator and leaf: the sentence of the dashboard, and that of a receipt for a user whose value does not fit. */
type Row = [Leaf, sentence: string, value: AttributeValue | null, receipt: string]

const plan = (comparison: Comparison): Leaf => ({ attribute: 'plan', ...comparison })
const seats = (comparison: Comparison): Leaf => ({ attribute: 'seats', ...comparison })
const trial = (comparison: Comparison): Leaf => ({ attribute: 'trial_at', ...comparison })

const comparisons: Row[] = [
  [plan({ is: 'equals', value: 'pro' }), 'plan is "pro"', 'free', 'plan is "free", "pro" is needed'],
  [seats({ is: 'equals', value: 5 }), 'seats is 5', 3, 'seats is 3, 5 is needed'],
  [plan({ is: 'not_equals', value: 'pro' }), 'plan is not "pro"', 'pro', 'plan is "pro", not "pro" is needed'],
  [seats({ is: 'not_equals', value: 5 }), 'seats is not 5', 5, 'seats is 5, not 5 is needed'],
  [
    plan({ is: 'contains', value: 'pro' }),
    'plan contains "pro"',
    'free',
    'plan is "free", what contains "pro" is needed',
  ],
  [
    plan({ is: 'not_contains', value: 'pro' }),
    'plan does not contain "pro"',
    'pro 2',
    'plan is "pro 2", what does not contain "pro" is needed',
  ],
  [
    plan({ is: 'starts_with', value: 'pro' }),
    'plan starts with "pro"',
    'free',
    'plan is "free", what starts with "pro" is needed',
  ],
  [
    plan({ is: 'ends_with', value: 'pro', ignore_case: true }),
    'plan ends with "pro", in capitals or not',
    'free',
    'plan is "free", what ends with "pro", in capitals or not, is needed',
  ],
  [plan({ is: 'one_of', values: ['pro'] }), 'plan is "pro"', 'free', 'plan is "free", "pro" is needed'],
  [
    plan({ is: 'one_of', values: ['pro', 'team', 'max'] }),
    'plan is "pro", "team" or "max"',
    null,
    'plan is missing, "pro", "team" or "max" is needed',
  ],
  [plan({ is: 'none_of', values: ['pro'] }), 'plan is not "pro"', 'pro', 'plan is "pro", not "pro" is needed'],
  [
    plan({ is: 'none_of', values: ['pro', 'team'] }),
    'plan is neither "pro" nor "team"',
    'team',
    'plan is "team", neither "pro" nor "team" is needed',
  ],
  [seats({ is: 'less', value: 5 }), 'seats is less than 5', 5, 'seats is 5, less than 5 are needed'],
  [seats({ is: 'at_most', value: 5 }), 'seats is at most 5', 6, 'seats is 6, at most 5 are needed'],
  [seats({ is: 'more', value: 5 }), 'seats is more than 5', 5, 'seats is 5, more than 5 are needed'],
  [
    seats({ is: 'at_least', value: 5 }),
    'seats is at least 5',
    '5',
    'seats is the text "5", the condition compares numbers',
  ],
  [seats({ is: 'between', values: [1, 5] }), 'seats is between 1 and 5', 6, 'seats is 6, between 1 and 5 are needed'],
  [{ attribute: 'beta', is: 'true' }, 'beta is true', false, 'beta is false, true is needed'],
  [
    { attribute: 'beta', is: 'false' },
    'beta is false',
    'no',
    'beta is the text "no", the condition compares true or false',
  ],
  [
    trial({ is: 'before', value: '2026-01-03' }),
    'trial_at is before 2026-01-03',
    '2026-02-01',
    'trial_at is "2026-02-01", before 2026-01-03 is needed',
  ],
  [
    trial({ is: 'after', value: '2026-01-03' }),
    'trial_at is after 2026-01-03',
    '2026-01-01',
    'trial_at is "2026-01-01", after 2026-01-03 is needed',
  ],
  [
    trial({ is: 'less_than_ago', value: '90s' }),
    'trial_at is less than 90 seconds ago',
    '2026-01-01',
    'trial_at is "2026-01-01", less than 90 seconds ago is needed',
  ],
  [
    trial({ is: 'more_than_ago', value: '10m' }),
    'trial_at is more than 10 minutes ago',
    '2026-01-01',
    'trial_at is "2026-01-01", more than 10 minutes ago is needed',
  ],
  [
    trial({ is: 'within_next', value: '12h' }),
    'trial_at is within the next 12 hours',
    '2026-01-01',
    'trial_at is "2026-01-01", within the next 12 hours is needed',
  ],
  [
    trial({ is: 'more_than_ahead', value: '4w' }),
    'trial_at is more than 4 weeks ahead',
    5,
    'trial_at is the number 5, the condition compares date-times',
  ],
  [
    trial({ is: 'before', value: '2026-01-03' }),
    'trial_at is before 2026-01-03',
    'soon',
    'trial_at is the text "soon", the condition compares date-times',
  ],
  [plan({ is: 'exists' }), 'plan is set', null, 'plan is missing, a value is needed'],
  [plan({ is: 'missing' }), 'plan is missing', 'pro', 'plan is "pro", no value is needed'],
  [
    { attribute: 'seats', of: 'group', is: 'at_least', value: 5 },
    "the group's seats is at least 5",
    3,
    "the group's seats is 3, at least 5 are needed",
  ],
  [
    { attribute: 'role', of: 'membership', is: 'equals', value: 'owner' },
    `the membership's role is "owner"`,
    null,
    `the membership's role is missing, "owner" is needed`,
  ],
]

const others: Row[] = [
  [{ event: 'exported' }, 'exported happened', 0, 'exported never happened, at least once is needed'],
  [{ event: 'exported', at_least: 1 }, 'exported happened', 0, 'exported never happened, at least once is needed'],
  [
    { event: 'exported', at_least: 3 },
    'exported happened at least 3 times',
    1,
    'exported happened once, at least 3 times are needed',
  ],
  [
    { event: 'exported', at_most: 0 },
    'exported never happened',
    1,
    'exported happened once or more often, never is needed',
  ],
  [
    { event: 'exported', at_most: 1 },
    'exported happened at most once',
    2,
    'exported happened 2 times or more often, at most once is needed',
  ],
  [
    { event: 'exported', at_most: 2 },
    'exported happened at most 2 times',
    3,
    'exported happened 3 times or more often, at most 2 times are needed',
  ],
  [
    { event: 'exported', within: '7d' },
    'exported happened in the last 7 days',
    0,
    'exported never happened in the last 7 days, at least once is needed',
  ],
  [
    { event: 'exported', since: '2026-01-01' },
    'exported happened since 2026-01-01',
    0,
    'exported never happened since 2026-01-01, at least once is needed',
  ],
  [
    { event: 'exported', since: 'created_at' },
    'exported happened since the user was created',
    0,
    'exported never happened since the user was created, at least once is needed',
  ],
  [
    { event: 'exported', by: 'group' },
    'exported happened in the group',
    0,
    'exported never happened in the group, at least once is needed',
  ],
  [
    { event: 'exported', where: [{ attribute: 'pages', is: 'more', value: 5 }] },
    'exported happened, where pages is more than 5',
    0,
    'exported never happened, where pages is more than 5, at least once is needed',
  ],
  [
    {
      event: 'exported',
      by: 'group',
      at_least: 2,
      within: '1d',
      where: [
        { attribute: 'pages', is: 'more', value: 5 },
        { attribute: 'format', is: 'equals', value: 'pdf' },
      ],
    },
    'exported happened at least 2 times in the group in the last day, where pages is more than 5 and format is "pdf"',
    1,
    'exported happened once in the group in the last day, where pages is more than 5 and format is "pdf", at least 2 times are needed',
  ],
  [{ content: 'tour', is: 'seen' }, 'tour was seen', null, 'tour is not seen, seen is needed'],
  [
    { content: 'tour', is: 'seen', within: '30d' },
    'tour was seen in the last 30 days',
    'seen',
    'tour is seen, seen in the last 30 days is needed',
  ],
  [{ content: 'tour', is: 'completed' }, 'tour was completed', 'active', 'tour is active, completed is needed'],
  [{ content: 'tour', is: 'active' }, 'tour is active', 'completed', 'tour is completed, active is needed'],
  [{ content: 'tour', is: 'dismissed' }, 'tour was dismissed', 'seen', 'tour is seen, dismissed is needed'],
  [{ content: 'tour', is: 'not_seen' }, 'tour was not seen', 'dismissed', 'tour is dismissed, not seen is needed'],
  [
    { segment: 'staff', is: 'in' },
    'in the segment Our staff',
    false,
    'not in the segment Our staff, being in it is needed',
  ],
  [
    { segment: 'staff', is: 'not_in' },
    'not in the segment Our staff',
    true,
    'in the segment Our staff, not being in it is needed',
  ],
  [
    { answer: 'survey', question: 'ease', is: 'at_least', value: 9 },
    'the answer to ease of survey is at least 9',
    7,
    'the answer to ease of survey is 7, at least 9 are needed',
  ],
  [
    { answer: 'survey', question: 'ease', is: 'exists' },
    'the answer to ease of survey is set',
    null,
    'the answer to ease of survey is missing, a value is needed',
  ],
  [
    { after: '2026-01-01' },
    'it is after 2026-01-01',
    '2025-12-31T23:00:00Z',
    'it is 2025-12-31T23:00:00Z, that it is after 2026-01-01 is needed',
  ],
  [
    { before: '2026-01-01' },
    'it is before 2026-01-01',
    '2026-01-01T00:00:00Z',
    'it is 2026-01-01T00:00:00Z, that it is before 2026-01-01 is needed',
  ],
  [
    { weekdays: ['sat', 'sun'], zone: 'Europe/Berlin' },
    'it is Saturday or Sunday in Europe/Berlin',
    '2026-01-05T00:00:00Z',
    'it is 2026-01-05T00:00:00Z, that it is Saturday or Sunday in Europe/Berlin is needed',
  ],
  [
    { from: '09:00', to: '17:00', zone: 'UTC' },
    'it is between 09:00 and 17:00 in UTC',
    '2026-01-05T00:00:00Z',
    'it is 2026-01-05T00:00:00Z, that it is between 09:00 and 17:00 in UTC is needed',
  ],
]

const rows = [...comparisons, ...others]

it.each(rows)('%j is said in one sentence, and so is what lacks', (leaf, sentence, value, receipt) => {
  expect(conditionProblems(leaf, 'who', '')).toEqual([])
  expect(sentenceOf(leaf, { segments: new Map([['staff', 'Our staff']]) })).toBe(sentence)
  expect(findingOf(leaf, '', false, { value }, { segments: new Map([['staff', 'Our staff']]) }).sentence).toBe(receipt)
})

it('the table has every operator, every kind of leaf of the server, and every state of content', () => {
  const leaves = rows.map(([leaf]) => leaf as Record<string, unknown>)
  expect(new Set(comparisons.map(([leaf]) => (leaf as Comparison).is))).toEqual(new Set(operators))
  expect(new Set(leaves.map(kindOf))).toEqual(new Set(serverKinds))
  const states = leaves.filter((leaf) => 'content' in leaf).map(({ is }) => is)
  expect(new Set(states)).toEqual(new Set(contentStates))
})

it.each<[Condition, string]>([
  [{ event: 'exported' }, 'exported happened in the last 30 days'],
  [{ not: { event: 'exported' } }, 'exported never happened in the last 30 days'],
  [{ event: 'exported', within: '60d' }, 'exported happened in the last 30 days'],
  [{ event: 'exported', within: '7d' }, 'exported happened in the last 7 days'],
  [
    { event: 'exported', at_least: 2, since: 'created_at' },
    'exported happened at least 2 times in the last 30 days and since the user was created',
  ],
  [
    {
      all: [
        { event: 'exported', at_least: 3 },
        { event: 'exported', at_most: 3 },
      ],
    },
    'exported happened exactly 3 times in the last 30 days',
  ],
  [
    {
      any: [
        { content: 'tour', is: 'seen' },
        { segment: 'staff', is: 'in' },
      ],
    },
    'tour was seen or in the segment staff',
  ],
])('where events are kept for 30 days, %j reads as it counts', (condition, sentence) => {
  expect(sentenceOf(keptCondition(condition, 30))).toBe(sentence)
})
