import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { BoundedCount, count, flag, number, oneOf, orNull, resource, Series, text, time } from './fields.ts'
import { paths } from './paths.ts'
import { EndpointSummary } from './webhooks.ts'

/** The figures of an environment. All of them come from counters that are kept as requests arrive. */

export const ranges = ['1h', '24h', '7d', '30d'] as const
export type Range = (typeof ranges)[number]

/** Requests that were refused for one reason: a code, and the field that it is about. */
export const Rejection = resource({
  status: count,
  code: text,
  /** A path such as `attributes.seats.add`; empty when the refusal is about no field. */
  field: text,
  /** The error message of the latest one. */
  message: text,
  count,
  last_at: time,
  last_request_id: text,
})
export type Rejection = Static<typeof Rejection>

const verdictKinds = ['empty', 'silent', 'rejected', 'rate_limited', 'endpoint_failing', 'system', 'well'] as const

/** The first line of Home. `kind` is the first kind whose condition holds. Fields of other kinds are null. */
export const Verdict = resource({
  level: oneOf(['ok', 'warn', 'bad']),
  kind: oneOf(verdictKinds),
  /** silent: the last request; endpoint_failing: since when. */
  since: orNull(time),
  /** rejected: its most frequent reason, and the share of all requests of the last ten minutes, from 0 to 1. */
  code: orNull(text),
  field: orNull(text),
  share: orNull(number),
  /** rate_limited: requests refused in the last ten minutes. */
  count: orNull(count),
  /** endpoint_failing: which, how many more fail, and its last answer. */
  endpoint_id: orNull(text),
  endpoint_url: orNull(text),
  other_endpoints: orNull(count),
  status: orNull(count),
  waiting: orNull(BoundedCount),
  /** system: what doctor found. */
  finding: orNull(text),
})
export type Verdict = Static<typeof Verdict>

/** One line below the verdict, when something about content needs a person. */
export const GuidanceNotice = resource({
  /**
   * unsigned: identities must be proven, and some pages send none; target_missing: pages do not find an element of a content
   * in a share of their tries; nobody_matches: the rule of a content selects nobody. All of the last day.
   */
  kind: oneOf(['unsigned', 'target_missing', 'nobody_matches']),
  content_id: orNull(text),
  content_name: orNull(text),
  /** target_missing: the number of the step. */
  step: orNull(count),
  /** unsigned: identifications; target_missing: tries; nobody_matches: such contents. */
  count: orNull(count),
  share: orNull(number),
})
export type GuidanceNotice = Static<typeof GuidanceNotice>

export const Home = resource({
  range: oneOf(ranges),
  verdict: Verdict,
  guidance: orNull(GuidanceNotice),
  /** Whether an event has ever been stored; before that, Home shows the first integration. */
  has_events: flag,
  has_users: flag,
  has_endpoints: flag,
  /** Whether `/demo` is served. */
  has_demo: flag,
  /** The last 60 minutes. `now` is the last full minute, or the current one if it already has more. */
  events_per_minute: resource({ now: count, highest: count, highest_at: orNull(time), series: Series }),
  /** The last 30 days. */
  events_per_day: resource({ total: count, series: Series }),
  /** Of the range, in equal steps. */
  requests: resource({
    total: count,
    accepted: count,
    outcomes: Type.Array(resource({ status: count, code: orNull(text), count })),
    accepted_series: Series,
    rejected_series: Series,
    failed_series: Series,
  }),
  /** The most frequent of the range, five at most, and how many reasons there are. */
  rejections: resource({ data: Type.Array(Rejection), reasons: count }),
  users: resource({ total: count, today: count }),
  groups: resource({ total: count, today: count }),
  deliveries: resource({ waiting: count, is_more: flag, oldest_at: orNull(time) }),
  endpoints: Type.Array(EndpointSummary),
  /** Of today (UTC), five at most. */
  most_tracked: resource({ data: Type.Array(resource({ name: text, count })), names: count }),
  at: time,
})
export type Home = Static<typeof Home>

export const homeOperations = {
  getHome: { ...paths.getHome, query: Type.Object({ range: Type.Optional(oneOf(ranges)) }), response: Home },
} as const
