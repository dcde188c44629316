import { expect, it } from 'vitest'
import type { Condition } from './condition.ts'
import { conditionProblems } from './problems.ts'
import { sentenceOf } from './sentence.ts'

const table: [Condition, string][] = [
  [{ attribute: 'plan', is: 'equals', value: 'growth' }, 'plan is "growth"'],
  [{ attribute: 'seats', of: 'group', is: 'at_least', value: 5 }, "the group's seats is at least 5"],
  [
    { attribute: 'role', of: 'membership', is: 'one_of', values: ['owner', 'admin'] },
    'the membership\'s role is "owner" or "admin"',
  ],
  [{ attribute: 'plan', is: 'none_of', values: ['a', 'b', 'c'] }, 'plan is neither "a", "b" nor "c"'],
  [{ attribute: 'seats', is: 'between', values: [1, 5] }, 'seats is between 1 and 5'],
  [{ attribute: 'name', is: 'contains', value: 'ada', ignore_case: true }, 'name contains "ada", in capitals or not'],
  [{ attribute: 'trial_ends_at', is: 'within_next', value: '3d' }, 'trial_ends_at is within the next 3 days'],
  [{ attribute: 'signed_up_at', is: 'more_than_ago', value: '1w' }, 'signed_up_at is more than 1 week ago'],
  [{ attribute: 'signed_up_at', is: 'before', value: '2026-01-03' }, 'signed_up_at is before 2026-01-03'],
  [{ attribute: 'beta', is: 'true' }, 'beta is true'],
  [{ not: { attribute: 'beta', is: 'true' } }, 'not (beta is true)'],
  [{ not: { attribute: 'plan', is: 'exists' } }, 'plan is missing'],
  [{ event: 'report_exported' }, 'report_exported happened'],
  [
    { event: 'task_completed', at_least: 3, within: '7d' },
    'task_completed happened at least 3 times in the last 7 days',
  ],
  [{ not: { event: 'report_exported' } }, 'report_exported never happened'],
  [{ not: { event: 'task_completed', at_least: 3 } }, 'task_completed happened at most 2 times'],
  [
    { event: 'task_completed', at_most: 1, since: 'created_at' },
    'task_completed happened at most once since the user was created',
  ],
  [
    { event: 'task_completed', within: '7d', since: '2026-01-03T00:00:00Z' },
    'task_completed happened in the last 7 days and since 2026-01-03T00:00:00Z',
  ],
  [
    { event: 'seats_changed', by: 'group', where: [{ attribute: 'to', is: 'more', value: 5 }] },
    'seats_changed happened in the group, where to is more than 5',
  ],
  [
    {
      all: [
        { event: 'task_completed', at_least: 3, within: '7d' },
        { event: 'task_completed', within: '7d', at_most: 3 },
      ],
    },
    'task_completed happened exactly 3 times in the last 7 days',
  ],
  [
    {
      all: [
        { event: 'task_completed', at_least: 3, within: '7d' },
        { event: 'task_completed', at_most: 3 },
      ],
    },
    'task_completed happened at least 3 times in the last 7 days and task_completed happened at most 3 times',
  ],
  [{ content: 'welcome', is: 'completed', within: '30d' }, 'welcome was completed in the last 30 days'],
  [{ not: { content: 'welcome', is: 'active' } }, 'not (welcome is active)'],
  [{ not: { segment: 'staff', is: 'in' } }, 'not in the segment Our staff'],
  [{ answer: 'survey', question: 'ease', is: 'at_least', value: 9 }, 'the answer to ease of survey is at least 9'],
  [
    { after: '2026-01-01T00:00:00Z', before: '2026-02-01T00:00:00Z' },
    'it is after 2026-01-01T00:00:00Z and before 2026-02-01T00:00:00Z',
  ],
  [
    { weekdays: ['mon', 'fri'], from: '09:00', to: '17:00', zone: 'Europe/Berlin' },
    'it is Monday or Friday between 09:00 and 17:00 in Europe/Berlin',
  ],
  [{ url: '/projects/*' }, 'the address fits /projects/*'],
  [{ element: ['testid=export'] }, 'testid=export is visible'],
  [{ element: ['testid=export', 'css=#export'], is: 'clicked' }, 'testid=export or css=#export was clicked'],
  [{ input: ['testid=name'], is: 'filled' }, 'the input testid=name is filled'],
  [{ viewport: { at_least: 800, at_most: 1200 } }, 'the window is at least 800 and at most 1200 pixels wide'],
  [{ locale: ['de', 'pt-BR'] }, 'the language is de or pt-BR'],
  [
    {
      all: [
        { event: 'a' },
        { any: [{ event: 'b' }, { event: 'c' }] },
        { not: { any: [{ event: 'd' }, { event: 'e' }] } },
      ],
    },
    'a happened and (b happened or c happened) and not (d happened or e happened)',
  ],
  [{ any: [{ all: [{ event: 'a' }] }, { not: { not: { event: 'b' } } }] }, 'a happened or b happened'],
]

it.each(table)('%j reads back as a sentence', (condition, sentence) => {
  expect(conditionProblems(condition, 'page', 'who')).toEqual([])
  expect(sentenceOf(condition, { segments: new Map([['staff', 'Our staff']]) })).toBe(sentence)
})

it('a key that every object has as a property is a key like others', () => {
  const names = { segments: new Map<string, string>(), content: new Map<string, string>() }
  expect(sentenceOf({ segment: 'constructor', is: 'in' }, names)).toBe('in the segment constructor')
  expect(sentenceOf({ content: 'constructor', is: 'seen' }, names)).toBe('constructor was seen')
})

it('content is called by its name where it is known, and by its key where it is not', () => {
  const names = { content: new Map([['welcome', 'Welcome tour']]) }
  expect(sentenceOf({ content: 'welcome', is: 'completed' }, names)).toBe('“Welcome tour” was completed')
  expect(sentenceOf({ content: 'other', is: 'seen' }, names)).toBe('other was seen')
  expect(sentenceOf({ answer: 'welcome', question: 'ease', is: 'at_least', value: 9 }, names)).toBe(
    'the answer to ease of “Welcome tour” is at least 9',
  )
})
