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
  const situation = { ...situationIn(compileEnvironment('1', sources, lookup), world), page: given.page }
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
    'Not shown: plan of the group is "free", "pro" is needed',
    { who: { attribute: 'plan', of: 'group', is: 'equals', value: 'pro' }, group: { plan: 'free' } },
  ],
  ['Shown', { who: { attribute: 'plan', of: 'group', is: 'equals', value: 'pro' }, group: { plan: 'pro' } }],
  // Who: events.
  ['Not shown: report_made never happened, at least once is needed', { who: { event: 'report_made' } }],
  [
    'Not shown: report_made happened once, at least 2 times is needed',
    { who: { event: 'report_made', at_least: 2 }, world: { events: [event('report_made', 1)] } },
  ],
  [
    'Not shown: exported happened once, never is needed',
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
    'Not shown: another browser of the user shows this flow',
    { page, when: { frequency: 'always' }, state: { activeSessionId: 's', holder: 'there' } },
  ],
  ['Shown', { page, when: { frequency: 'always' }, state: { activeSessionId: 's', holder: 'here' } }],
]

it.each(table)('%s', (sentence, given) => {
  expect(sentenceFor(given)).toBe(sentence)
})
