import type { Attributes, AttributeValue } from '../../contract/attributes.ts'

/** What is known of one user (and its current group) when conditions are evaluated. */
export interface Facts {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly user: { readonly id: string; readonly attributes: Attributes; readonly createdAt: string } | undefined
  /** The current group: without one, all its attributes are missing. */
  readonly group: GroupFacts | undefined
  /** The id of the current group, when it was asked for. */
  readonly groupId?: string | undefined
  /** The group that the page or the caller names, when the user is not in it: then there is no current group. */
  readonly foreignGroup?: string | undefined
  /** The groups of the user when none of them is the current one. */
  readonly otherGroups: readonly string[]
  /** A receipt of them is kept with a session. It names no group: one that is deleted later would stay in it. */
  readonly isKept?: true
  /** How many events each probe found, by its number; null when it would have had to look at too many. */
  readonly counts: readonly (number | null)[]
  /** What the user has seen, by the key of the content. */
  readonly content: ReadonlyMap<string, ContentFacts>
  /** The user's newest answers, by the key of the content and then of the question. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, AttributeValue>>
}

export interface GroupFacts {
  readonly id: string
  readonly attributes: Attributes
  readonly membership: Attributes
  readonly createdAt?: string
}

/** The last time of each, in milliseconds; absent when it never was. */
export interface ContentFacts {
  readonly seenAt?: number | undefined
  readonly completedAt?: number | undefined
  readonly dismissedAt?: number | undefined
  readonly isActive: boolean
}

export const NOTHING_SEEN: Facts['content'] = new Map()
export const NOTHING_ANSWERED: Facts['answers'] = new Map()
