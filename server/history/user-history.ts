import type { Attributes } from '../../contract/attributes.ts'
import { LEASE_SECONDS } from '../../contract/sdk/protocol.ts'
import type { AttributeOperations } from '../attributes/operations.ts'
import { Rows } from '../batches/rows.ts'
import type { GuidanceRow } from './guidance.ts'
import type { AnswerRow, ClaimRow, SessionRow, StateRow } from './rows.ts'

/**
 * What is stored about one user: its claims, its open sessions and those that jobs are about, its states, and the answers of
 * these sessions. As they were read under the lock of the user, and as the jobs of a batch have changed them.
 */
export class UserHistory {
  readonly userId: string
  /** By id. */
  readonly claims = new Rows<ClaimRow>()
  /** By id. */
  readonly sessions = new Rows<SessionRow>()
  /** By the id of the content. */
  readonly states = new Rows<StateRow>()
  /** By `answerKey`. */
  readonly answers = new Rows<AnswerRow>()

  constructor(userId: string) {
    this.userId = userId
  }
}

export const answerKey = (sessionId: string, question: string) => `${sessionId}\0${question}`

/** An event that a change makes: an ordinary event of the user, and of the group of the session. */
export interface HistoryEvent {
  readonly name: string
  readonly userId: string
  readonly groupId: string | null
  readonly operations: AttributeOperations
  /** What they come to, as it is stored. */
  readonly attributesJson: string
}

/** What a job changes a history with. */
export interface Change {
  readonly history: UserHistory
  /** By the clock of the database, in milliseconds. */
  readonly now: number
  /** The creation time of what the batch creates: lists are ordered by it. */
  readonly createdAt: number
  newId(): string
  emit(event: HistoryEvent): void
}

/**
 * When something happens to a session. It is never before its creation: that is by the order of commits, whose times can be
 * ahead of the clock.
 */
export function timeOf({ now }: Change, { createdAt }: SessionRow): number {
  return Math.max(now, createdAt)
}

export const MOST_LEASE_SECONDS = 2 * LEASE_SECONDS

/**
 * Nobody holds a claim that was released, whatever the clock says since, or whose lease is over. One that lasts longer than any
 * lease was written while the clock of the database was ahead: otherwise nobody else could show the content until the clock
 * comes to it. A clock that is set back by less than a lease ends none.
 */
export function isLive({ state, leaseUntil }: ClaimRow, now: number): boolean {
  return state !== 'released' && leaseUntil > now && leaseUntil <= now + MOST_LEASE_SECONDS * 1000
}

/** When a user and its group were created; undefined of one that there is not, or that was not read. */
export interface CreationTimes {
  readonly user: string | undefined
  readonly group: string | undefined
}

/** What the transaction of a job has read beside the history. */
export interface HistoryFacts {
  /** Whether the content of the job may start; undefined when there is no such content. */
  readonly guidance: GuidanceRow | undefined
  /** The attributes of the user; undefined when there is no such user. */
  readonly user: Attributes | undefined
  /** Those of the group of the job. */
  readonly group: Attributes | undefined
  readonly createdAt: CreationTimes
  /** Whether the group of the job exists, and the user is a member of it. */
  readonly isMember: boolean
}
