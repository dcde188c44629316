import type { EnvironmentId } from '../database/database.ts'
import type { Known } from '../definitions/news.ts'
import { News } from '../definitions/news.ts'
import type { Happening } from '../webhooks/outbox.ts'
import type { TrackEventJob } from './jobs.ts'
import type { Stamp } from './stamp.ts'
import { Rows, type Stored, type StoredMembership } from './state.ts'

export interface StoredEvent extends TrackEventJob {
  id: string
  at: string
  /** JSON text. */
  attributes: string
}

/** Everything that a batch of jobs has read and wants written. */
export class BatchState {
  readonly environmentId: EnvironmentId
  readonly users = new Rows<Stored>()
  readonly groups = new Rows<Stored>()
  readonly memberships = new Rows<StoredMembership>()
  readonly events: StoredEvent[] = []
  readonly happenings: Happening[] = []
  readonly news: News
  /** Set when the batch has its place in the order of commits. */
  stamp!: Stamp

  constructor(environmentId: EnvironmentId, known: Known) {
    this.environmentId = environmentId
    this.news = new News(known)
  }

  get createsSomething(): boolean {
    return this.users.grew || this.groups.grew
  }
}

/** Ids have no control characters, so the two cannot run into each other. */
export function membershipKey(userId: string, groupId: string): string {
  return `${userId}\0${groupId}`
}
