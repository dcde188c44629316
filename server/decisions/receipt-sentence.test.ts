import { expect, it } from 'vitest'
import type { Attributes } from '../../contract/attributes.ts'
import type { Condition } from '../../contract/conditions/condition.ts'
import type { ContentDocument, When } from '../../contract/content/document.ts'
import { exampleBanner, exampleFlow } from '../../contract/content/examples.ts'
import { compileEnvironment } from './compiled-content.ts'
import { decide } from './decide.ts'
import type { Page } from './gates.ts'
import type { ContentState } from './states.ts'
import { situationIn, type World } from './world.ts'

const NOW = Date.parse('2026-03-04T12:00:00Z')
const DAY = 86_400_000

interface Case {
  who?: Condition
  where?: Condition
  when?: When
  attributes?: Attributes
  group?: Attributes
  membership?: Attributes
  world?: Partial<World>
  state?: Partial<ContentState>
  page?: Page
  published?: boolean
  others?: ContentDocument[]
}

const segments: Record<string, Condition> = { trial: { attribute: 'plan', is: 'equals', value: 'trial' } }
const event = (name: string, ago: number, attributes: Attributes = {}, groupId?: string) => ({
  ...{ name, attributes, groupId },
  time: NOW - ago * DAY,
})

function sentenceFor(given: Case): string {
  const { who: _, where: __, when: ___, ...base } = exampleFlow
  const { who, where, when, others = [] } = given
  const own = { ...base, key: 'tour', ...(who && { who }), ...(where && { where }), ...(when && { when }) }
  const sources = [...others, own as ContentDocument].map((document, index) => ({
    ...{ id: `id-${document.key}`, key: document.key, type: document.type, versionId: 'v' },
    ...{ publishedAt: new Date(index).toISOString(), isPublished: given.published ?? true },
    document: JSON.stringify(document),
  }))
  const lookup = (key: string) => {
    const condition = segments[key]
    return condition && { name: 'Trials', condition }
  }
  const groups = given.group ? [{ id: 'acme', attributes: given.group, membership: given.membership ?? {} }] : []
  const state = {
    ...{ contentId: 'id-tour', key: 'tour', type: 'flow' as const, started: 1, lastStartedAt: NOW - DAY },
    ...{ completedAt: null, dismissedAt: null, lastEndedAt: null, activeSessionId: null, holder: null },
    ...given.state,
  }
  const world: World = {
    now: NOW,
    user: { id: 'ada', attributes: given.attributes ?? {}, createdAt: NOW - 9 * DAY },
    groups,
    events: [],
    states: given.state ? [state] : [],
    ...given.world,
  }
  const situation = {
    ...situationIn(compileEnvironment('1', sources, { segments: lookup, keptDays: undefined }), world),
    page: given.page,
  }
  return decide(situation, true).receipts.find(({ key }) => key === 'tour')?.sentence ?? ''
}

const seats = (is: 'at_least' | 'at_most' | 'less' | 'more' | 'equals', value: number): Condition => ({
  attribute: 'seats',
  is,
  value,
})
const page = { lacksProof: false, format: 1, browserId: 'here' }
const flow = (key: string, priority: number): ContentDocument =>
  ({ ...exampleFlow, who: undefined, key, when: { priority } }) as never as ContentDocument

/** As a person would say it. The table is read by people: a change of it is a change of what users read. */
const table: [string, Case][] = [
  // Published and known.
  ['Shown', {}],
  ['Not shown: it is not published', { published: false }],
  ['Not shown: all content of this environment is switched off', { world: { isOff: true } }],
  ['Not shown: there is no such user', { world: { user: undefined } }],
  ['Not shown: the identity of the user is not verified', { page: { ...page, lacksProof: true } }],
  ['Not shown: the script in the page is too old to show it', { page: { ...page, format: 0 } }],
  // How often.
  ['Not shown: the user has seen it at 2026-03-03T12:00:00.000Z, and it is shown once', { state: {} }],
  [
    'Not shown: the user has completed it at 2026-03-02T12:00:00.000Z',
    { when: { frequency: 'until_completed' }, state: { completedAt: NOW - 2 * DAY } },
  ],
  ['Shown', { when: { frequency: 'until_completed' }, state: {} }],
  [
    'Not shown: it was shown 3 times, which is the most',
    { when: { frequency: 'until_completed', at_most: 3 }, state: { started: 3 } },
  ],
  ['Not shown: it was shown once, which is the most', { when: { frequency: 'always', at_most: 1 }, state: {} }],
  [
    'Not shown: it is shown once in 7 days, again from 2026-03-10T12:00:00.000Z',
    { when: { frequency: { every: '7d' } }, state: {} },
  ],
  [
    'Not shown: it is shown once in 4 weeks, again from 2026-03-31T12:00:00.000Z',
    { when: { frequency: { every: '4w' } }, state: {} },
  ],
  ['Shown', { when: { frequency: { every: '12h' } }, state: {} }],
  // Who: attributes.
  ['Not shown: seats is 3, at least 5 are needed', { who: seats('at_least', 5), attributes: { seats: 3 } }],
  ['Not shown: seats is 9, at most 5 are needed', { who: seats('at_most', 5), attributes: { seats: 9 } }],
  ['Not shown: seats is missing, at least 5 are needed', { who: seats('at_least', 5) }],
  [
    'Not shown: seats is the text "many", the condition compares numbers',
    { who: seats('at_least', 5), attributes: { seats: 'many' } },
  ],
  [
    'Not shown: plan is "free", "pro" is needed',
    { who: { attribute: 'plan', is: 'equals', value: 'pro' }, attributes: { plan: 'free' } },
  ],
  [
    'Not shown: plan is the number 3, the condition compares text',
    { who: { attribute: 'plan', is: 'equals', value: 'pro' }, attributes: { plan: 3 } },
  ],
  ['Not shown: beta is false, true is needed', { who: { attribute: 'beta', is: 'true' }, attributes: { beta: false } }],
  // Who: groups and memberships.
  [
    `Not shown: the group's plan is "free", "pro" is needed`,
    { who: { attribute: 'plan', of: 'group', is: 'equals', value: 'pro' }, group: { plan: 'free' } },
  ],
  ['Shown', { who: { attribute: 'plan', of: 'group', is: 'equals', value: 'pro' }, group: { plan: 'pro' } }],
  // Who: events.
  ['Not shown: report_made never happened, at least once is needed', { who: { event: 'report_made' } }],
  [
    'Not shown: report_made happened once, at least 2 times are needed',
    { who: { event: 'report_made', at_least: 2 }, world: { events: [event('report_made', 1)] } },
  ],
  [
    'Not shown: exported happened once or more often, never is needed',
    { who: { not: { event: 'exported' } }, world: { events: [event('exported', 1)] } },
  ],
  ['Shown', { who: { event: 'report_made', within: '7d' }, world: { events: [event('report_made', 1)] } }],
  // Who: content and segments.
  ['Not shown: welcome is not seen, completed is needed', { who: { content: 'welcome', is: 'completed' } }],
  ['Not shown: not in the segment Trials, being in it is needed', { who: { segment: 'trial', is: 'in' } }],
  [
    'Not shown: in the segment Trials, not being in it is needed',
    { who: { segment: 'trial', is: 'not_in' }, attributes: { plan: 'trial' } },
  ],
  // Who: the first line that keeps it back is named.
  [
    'Not shown: seats is 3, at least 5 are needed',
    { who: { all: [{ attribute: 'plan', is: 'exists' }, seats('at_least', 5)] }, attributes: { seats: 3, plan: 'x' } },
  ],
  // Quiet period.
  [
    'Not shown: a flow ended a moment ago, and no other starts by itself before 2026-03-04T13:00:00.000Z',
    { world: { quietMs: DAY / 24 }, when: { frequency: 'always' }, state: { lastEndedAt: NOW } },
  ],
  [
    'Shown',
    { world: { quietMs: DAY }, when: { frequency: 'always', exempt_from_quiet: true }, state: { lastEndedAt: NOW } },
  ],
  // Order.
  ['Shown after first', { others: [flow('first', 90)] }],
  ['Shown after first and second', { others: [flow('first', 90), flow('second', 80)] }],
  ['Shown', { others: [flow('later', 10), { ...exampleBanner, when: { priority: 99 } }] }],
  // Where.
  ['Shown where the address fits /projects/*', { where: { url: '/projects/*' } }],
  ['Shown', { where: seats('at_least', 5), attributes: { seats: 5 } }],
  [
    'Not shown: seats is 3, at least 5 are needed',
    { where: { all: [{ url: '/x' }, seats('at_least', 5)] }, attributes: { seats: 3 } },
  ],
  // Claim.
  [
    'Not shown: another browser of the user shows this flow now',
    { page, when: { frequency: 'always' }, state: { activeSessionId: 's', holder: 'there' } },
  ],
  ['Shown', { page, when: { frequency: 'always' }, state: { activeSessionId: 's', holder: 'here' } }],
  // Who: the other comparisons.
  [
    'Not shown: plan is "free", "pro" or "scale" is needed',
    { who: { attribute: 'plan', is: 'one_of', values: ['pro', 'scale'] }, attributes: { plan: 'free' } },
  ],
  [
    'Not shown: plan is "pro", neither "pro" nor "scale" is needed',
    { who: { attribute: 'plan', is: 'none_of', values: ['pro', 'scale'] }, attributes: { plan: 'pro' } },
  ],
  [
    'Not shown: email is "ada@example.com", what contains "@acme.com" is needed',
    { who: { attribute: 'email', is: 'contains', value: '@acme.com' }, attributes: { email: 'ada@example.com' } },
  ],
  [
    'Not shown: email is "ada@example.com", what ends with ".edu" is needed',
    { who: { attribute: 'email', is: 'ends_with', value: '.edu' }, attributes: { email: 'ada@example.com' } },
  ],
  [
    'Not shown: seats is 3, between 5 and 9 are needed',
    { who: { attribute: 'seats', is: 'between', values: [5, 9] }, attributes: { seats: 3 } },
  ],
  ['Not shown: plan is missing, a value is needed', { who: { attribute: 'plan', is: 'exists' } }],
  [
    'Not shown: plan is "free", no value is needed',
    { who: { attribute: 'plan', is: 'missing' }, attributes: { plan: 'free' } },
  ],
  [
    'Not shown: signed_up_at is "2026-01-01T00:00:00Z", less than 7 days ago is needed',
    {
      who: { attribute: 'signed_up_at', is: 'less_than_ago', value: '7d' },
      attributes: { signed_up_at: '2026-01-01T00:00:00Z' },
    },
  ],
  [
    'Not shown: trial_ends_at is "2026-04-01T00:00:00Z", before 2026-03-01T00:00:00Z is needed',
    {
      who: { attribute: 'trial_ends_at', is: 'before', value: '2026-03-01T00:00:00Z' },
      attributes: { trial_ends_at: '2026-04-01T00:00:00Z' },
    },
  ],
  [
    `Not shown: the membership's role is "guest", "owner" is needed`,
    {
      who: { attribute: 'role', of: 'membership', is: 'equals', value: 'owner' },
      group: {},
      membership: { role: 'guest' },
    },
  ],
  [
    `Not shown: the group's plan is missing (the user is in no group), "pro" is needed`,
    { who: { attribute: 'plan', of: 'group', is: 'equals', value: 'pro' } },
  ],
  [
    'Not shown: report_made happened once in the last 7 days, at least 3 times are needed',
    {
      who: { event: 'report_made', at_least: 3, within: '7d' },
      world: { events: [event('report_made', 1), event('report_made', 9)] },
    },
  ],
  [
    'Not shown: login happened 2 times or more often, at most once is needed',
    { who: { event: 'login', at_most: 1 }, world: { events: [event('login', 1), event('login', 2)] } },
  ],
  [
    'Not shown: report_made never happened, where format is "pdf", at least once is needed',
    {
      who: { event: 'report_made', where: [{ attribute: 'format', is: 'equals', value: 'pdf' }] },
      world: { events: [event('report_made', 1, { format: 'csv' })] },
    },
  ],
  [
    'Not shown: invited never happened in the group, at least once is needed',
    { who: { event: 'invited', by: 'group' }, group: {} },
  ],
  [
    'Not shown: tour is active, not active is needed',
    { who: { not: { content: 'tour', is: 'active' } }, when: { frequency: 'always' }, state: { activeSessionId: 's' } },
  ],
  [
    'Not shown: tour is completed, not completed is needed',
    {
      who: { not: { content: 'tour', is: 'completed' } },
      when: { frequency: 'always' },
      state: { activeSessionId: 's', completedAt: NOW - DAY },
    },
  ],
  [
    'Not shown: tour is dismissed, not dismissed is needed',
    {
      who: { not: { content: 'tour', is: 'dismissed' } },
      when: { frequency: 'always' },
      state: { completedAt: NOW - DAY, dismissedAt: NOW - 2 * DAY },
    },
  ],
  [
    'Not shown: tour is seen, not seen in the last 7 days is needed',
    { who: { content: 'tour', is: 'not_seen', within: '7d' }, when: { frequency: 'always' }, state: {} },
  ],
  [
    'Not shown: it is 2026-03-04T12:00:00.000Z, that it is after 2026-04-01T00:00:00Z is needed',
    { who: { after: '2026-04-01T00:00:00Z' } },
  ],
  [
    'Not shown: the answer to ease of survey is missing, at least 9 are needed',
    { who: { answer: 'survey', question: 'ease', is: 'at_least', value: 9 } },
  ],
  [
    'Not shown: in the segment gone or not (there is no such segment), which is not known',
    { who: { segment: 'gone', is: 'in' } },
  ],
  [
    'Not shown: seats is 3, at least 5 are needed',
    { who: { any: [seats('at_least', 5), { attribute: 'beta', is: 'true' }] }, attributes: { seats: 3, beta: false } },
  ],
  [
    'Not shown: seats is 3, at least 5 are needed',
    { who: { all: [{ segment: 'gone', is: 'in' }, seats('at_least', 5)] }, attributes: { seats: 3 } },
  ],
  [
    'Not shown: in the segment gone or not (there is no such segment), which is not known',
    { who: { any: [seats('at_least', 5), { segment: 'gone', is: 'in' }] }, attributes: { seats: 3 } },
  ],
  [
    'Not shown: seats is 3, not at least 2 are needed',
    { who: { not: { any: [{ segment: 'gone', is: 'in' }, seats('at_least', 2)] } }, attributes: { seats: 3 } },
  ],
  [
    'Not shown: seats is 3, at least 5 are needed',
    {
      where: { all: [{ any: [seats('at_least', 4), seats('at_most', 4)] }, { url: '/' }, seats('at_least', 5)] },
      attributes: { seats: 3 },
    },
  ],
  [
    'Not shown: in the segment gone or not (there is no such segment), which is not known',
    { where: { all: [{ url: '/' }, { segment: 'gone', is: 'in' }] } },
  ],
  [
    'Not shown: seats is 3, not at least 2 are needed',
    { who: { not: seats('at_least', 2) }, attributes: { seats: 3 } },
  ],
]

it.each(table)('%s', (sentence, given) => {
  expect(sentenceFor(given)).toBe(sentence)
})
