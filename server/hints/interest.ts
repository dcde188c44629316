/** What the published conditions of an environment ask for. A change of anything else is no reason to decide again. */
export interface Interest {
  /** `user plan`, `group seats`, `membership role`. */
  readonly attributes: ReadonlySet<string>
  /** The names of events. */
  readonly events: ReadonlySet<string>
  /** Something is asked of the current group. */
  readonly hasGroups: boolean
  /** Something is asked of what the user has seen or answered. */
  readonly hasHistory: boolean
}

/** Of an environment whose content is not known yet, everything may be asked for. */
export const EVERYTHING: Interest = {
  attributes: { has: () => true } as unknown as ReadonlySet<string>,
  events: { has: () => true } as unknown as ReadonlySet<string>,
  hasGroups: true,
  hasHistory: true,
}
