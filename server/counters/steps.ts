/** The steps of time that counters are kept in, and for how long. */
export const steps = {
  minute: { seconds: 60, keptDays: 2 },
  hour: { seconds: 3_600, keptDays: 40 },
  day: { seconds: 86_400, keptDays: 400 },
} as const

export type CounterStep = keyof typeof steps

/** What is counted, and in which steps. */
export const kinds = {
  request: ['minute', 'hour', 'day'],
  /** A minute counts the events that arrived in it; a day, those that happened on it. Earlier versions counted hours. */
  event: ['minute', 'hour', 'day'],
  event_name: ['day'],
  attribute_user: ['day'],
  attribute_group: ['day'],
  attribute_event: ['day'],
  attribute_group_membership: ['day'],
  user: ['day'],
  group: ['day'],
  /** How pages proved who their user is: `signed`, `unsigned`, `wrong` or `anonymous`. */
  identity: ['day'],
  /** The same by allowed origin: `signed https://app.example.com`. */
  origin: ['day'],
  /** Requests of pages whose origin is not allowed, by origin; the name is empty for further ones of a day. */
  refused_origin: ['day'],
  /** Identifications by the script: `newest` when it can show every form of content, else `older`. */
  script: ['day'],
  /** The same by version and allowed origin: `1.0.0 https://app.example.com`; the version is empty when the script does not tell. */
  script_version: ['day'],
  /** Answers to pages by a bound of their time in milliseconds and by allowed origin: `25 https://app.example.com`. */
  page_answer: ['day'],
  /** What went wrong in pages, by allowed origin: `caught` by the script, or the code with which a call was refused. */
  page_error: ['day'],
  /** How often pages looked for a target, by version, step, and the locator that found it (server/results/target-names.ts). */
  target: ['hour'],
} as const satisfies Record<string, readonly CounterStep[]>

export type CounterKind = keyof typeof kinds

/** The beginning of the step that a time is in, in UTC. */
export function startOf(step: CounterStep, ms: number): number {
  const length = steps[step].seconds * 1000
  return Math.floor(ms / length) * length
}
