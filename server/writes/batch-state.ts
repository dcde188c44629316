import type { Topic } from '../../contract/topics.ts'
import type { AuditEntry } from '../audit/record.ts'
import { Rows } from '../batches/rows.ts'
import type { Stamp } from '../batches/stamp.ts'
import type { EnvironmentId } from '../database/database.ts'
import { NamedDefinitions } from '../definitions/named.ts'
import type { DefinitionCache } from '../definitions/new-definitions.ts'
import { NewDefinitions } from '../definitions/new-definitions.ts'
import type { ApiError } from '../errors.ts'
import { Histories } from '../history/histories.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { NewDeliveries, Notification } from '../outbox/queries.ts'
import { SubscriptionRows } from '../subscriptions/rows.ts'
import type { Job, TrackEventJob } from './jobs.ts'
import type { Stored, StoredMembership } from './state.ts'

export interface NewEvent extends TrackEventJob {
  id: string
  at: string
  attributesJson: string
}

/** What a batch of jobs has read, and what it will write. */
export class BatchState {
  readonly environmentId: EnvironmentId
  readonly users = new Rows<Stored>()
  readonly groups = new Rows<Stored>()
  readonly memberships = new Rows<StoredMembership>()
  readonly events: NewEvent[] = []
  readonly notifications: Notification[] = []
  readonly deliveries: NewDeliveries[] = []
  readonly auditEntries: AuditEntry[] = []
  /** What is remembered of the users of `history` jobs. */
  readonly histories = new Histories()
  readonly newDefinitions: NewDefinitions
  /** The definitions of the names that pages write here, as far as they exist. */
  readonly named = new NamedDefinitions()
  readonly subscriptions = new SubscriptionRows()
  /** Why members may not do what their jobs ask for. Most batches have no job of a member. */
  refusals: Map<Job, ApiError> | undefined
  /** Set when the batch has its position in the order of commits. */
  stamp!: Stamp
  /** The subscriptions that a notification of the next job goes to. Jobs change them. */
  outbox!: Outbox

  constructor(environmentId: EnvironmentId, known: DefinitionCache) {
    this.environmentId = environmentId
    this.newDefinitions = new NewDefinitions(known)
  }

  /** Notifies the subscriptions of this topic. `object` is, or makes, the JSON text of the object right after the write. */
  notify(topic: Topic, object: string | (() => string), of: { userId?: string | null; groupId?: string | null }): void {
    const subscriptionIds = this.outbox.subscribers.match(topic)
    if (subscriptionIds.length === 0) return
    const { userId = null, groupId = null } = of
    // Not one of the ids that the next try has again: it may find other subscriptions, and events would get other ids.
    const id = this.stamp.freshId()
    const text = typeof object === 'string' ? object : object()
    this.notifications.push({ id, topic, object: text, userId, groupId, at: this.stamp.at })
    this.deliveries.push({ notificationId: id, subscriptionIds })
  }

  get createsSomething(): boolean {
    return this.users.grew || this.groups.grew
  }
}

/** Ids have no control characters, so the separator is unambiguous. */
export function membershipKey(userId: string, groupId: string): string {
  return `${userId}\0${groupId}`
}
