import type { Probe } from './probes.ts'

/** What conditions must know of a user. */
export interface Needs {
  /** Its memberships, and the current group. */
  readonly group: boolean
  readonly probes: readonly Probe[]
  /** `user plan`, `group seats`, `membership role`: the attributes that are asked for, by whose they are. */
  readonly attributes: ReadonlySet<string>
  /** The keys of the content whose states are asked for. */
  readonly content: ReadonlySet<string>
  /** The keys of the content whose answers are asked for. */
  readonly answers: ReadonlySet<string>
  /** Of conditions that are compiled for one request. */
  readonly isAskedOnce?: boolean
}

export function noNeeds() {
  return { group: false, attributes: new Set<string>(), content: new Set<string>(), answers: new Set<string>() }
}
