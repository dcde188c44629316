import { limits } from '../limits.ts'
import {
  ATTRIBUTE_NAME_PATTERN,
  ATTRIBUTE_NAME_RULE,
  EVENT_NAME_PATTERN,
  EVENT_NAME_RULE,
  KEY_PATTERN,
  KEY_RULE,
} from '../names.ts'
import { contentStates, stringOperators, weekdays } from './condition.ts'
import {
  duration,
  type Field,
  flag,
  instant,
  listOf,
  locators,
  matching,
  oneOf,
  optional,
  textUpTo,
  timeOfDay,
  urlPattern,
  wholeNumber,
  width,
  zone,
} from './fields.ts'
import type { LeafKind } from './kinds.ts'
import { operators } from './operators.ts'

const attribute = matching(ATTRIBUTE_NAME_PATTERN, ATTRIBUTE_NAME_RULE)
const key = matching(KEY_PATTERN, KEY_RULE)
const times = optional(wholeNumber(0, limits.eventLeafTimes))

/** Checked by `comparisonProblems`, which knows the operator: here any value passes. */
const anything: Field = optional({ schema: {}, problem: () => undefined })
const comparison = { is: oneOf(operators), value: anything, values: anything, ignore_case: optional(flag) }

/** `created_at` stands for the time when the user was created. */
const since: Field = {
  schema: { anyOf: [{ const: 'created_at' }, instant.schema] },
  problem: (value) => {
    if (value === 'created_at' || instant.problem(value) === undefined) return undefined
    return 'must be a date-time such as 2026-01-03T09:30:00Z, or created_at'
  },
}

export const whereFields: Readonly<Record<string, Field>> = { attribute, ...comparison }

/** The fields of each kind of leaf. A field that is not here is refused. */
export const leafFields: Readonly<Record<LeafKind, Readonly<Record<string, Field>>>> = {
  attribute: { attribute, of: optional(oneOf(['user', 'group', 'membership'])), ...comparison },
  event: {
    event: matching(EVENT_NAME_PATTERN, EVENT_NAME_RULE),
    at_least: optional(wholeNumber(1, limits.eventLeafTimes)),
    at_most: times,
    within: optional(duration),
    since: optional(since),
    by: optional(oneOf(['user', 'group'])),
    where: anything,
  },
  content: { content: key, is: oneOf(contentStates), within: optional(duration) },
  segment: { segment: key, is: oneOf(['in', 'not_in']) },
  answer: { answer: key, question: textUpTo(64, 1), ...comparison },
  time: {
    after: optional(instant),
    before: optional(instant),
    weekdays: optional(listOf(oneOf(weekdays), 7, 'weekdays')),
    from: optional(timeOfDay),
    to: optional(timeOfDay),
    zone: optional(zone),
  },
  url: { url: urlPattern },
  element: { element: locators, is: optional(oneOf(['visible', 'absent', 'clicked', 'disabled'])) },
  input: { input: locators, ...comparison, is: oneOf(['filled', ...stringOperators]) },
  viewport: { viewport: anything },
  locale: {
    locale: listOf(
      matching('^[a-zA-Z]{2,8}(-[a-zA-Z0-9]{1,8})*$', 'must be a language such as de or pt-BR'),
      50,
      'languages',
    ),
  },
}

export const viewportFields = { at_least: optional(width), at_most: optional(width) }
