import type { Attributes } from '../../contract/attributes.ts'
import type { AttributeOperations } from '../attributes/operations.ts'
import type { AuditEntry } from '../audit/record.ts'
import type { Right } from '../batches/right.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { ApiError } from '../errors.ts'
import type { HistoryKeys } from '../history/histories.ts'
import type { Change, HistoryFacts } from '../history/user-history.ts'
import type { ChangeSubscriptionJob } from '../subscriptions/changes.ts'

/** The write of a request. The batch that stores it assigns ids and creation times. */
interface RequestedJob {
  /** The id of the request of the public API. Undefined for imports and for changes by members. */
  requestId?: string | undefined
  /**
   * Of a change by a member: makes its entry in the audit log, which is stored in the same transaction. `before` are the
   * attributes of the user or group, undefined when there was none.
   */
  audit?: (written: Written, before: Attributes | undefined) => AuditEntry
  /** Of the member. API keys may write everything. */
  right?: Right
  /** Of a page: see `writes/page-rules.ts`. */
  page?: PageRules
}

/** A user or a group, or the name of an event or an attribute. */
export type CreatedByPage = 'object' | 'name'

/** What is different when a page writes, and not the back end. */
export interface PageRules {
  /** What pages of the environment may still create in this minute. Each call takes one, or says that none is left. */
  mayCreate(kind: CreatedByPage): boolean
  /** Whether pages of the environment may still store objects of these sizes, in bytes, in this minute. Takes them if so. */
  mayStore(sizes: readonly number[]): boolean
  /** Called when the job is applied, which it is again in each try: what it has taken before is not taken again. */
  beginTry(): void
  /** The user is the one that the visitor token was made for; undefined at `identify`, which makes the token. */
  userCreatedAt?: string | undefined
  /** Its user is proved. Any other page must not learn what is stored, also not from a refusal. */
  isVerified: boolean
}

interface UpsertJob extends RequestedJob {
  /** Refuses the job unless the user or group is new, or unless it exists together with the groups that it joins. */
  expects?: 'new' | 'existing'
}

export interface UpsertUserJob extends UpsertJob {
  kind: 'user'
  id: string
  operations: AttributeOperations
  groups: readonly GroupPart[]
  prune: boolean
  /** False: no notification is made. */
  notify?: boolean
}

/** A group that a user joins, and its path in the request. */
export interface GroupPart {
  id: string
  operations: AttributeOperations
  membershipOperations: AttributeOperations
  groupPath: string
  membershipPath: string
}

export interface UpsertGroupJob extends UpsertJob {
  kind: 'group'
  id: string
  operations: AttributeOperations
}

export interface TrackEventJob extends RequestedJob {
  kind: 'event'
  name: string
  userId: string | null
  groupId: string | null
  operations: AttributeOperations
  /** As in the request, or when it was received; as text and in milliseconds. */
  time: string
  timeMs: number
  /** False: no notification is made. */
  notify?: boolean
  /** It may have the attributes that only the service itself writes: an event of an import. */
  isOwn?: boolean
}

export type WriteJob = UpsertUserJob | UpsertGroupJob | TrackEventJob

interface AuditedRemoval {
  /** The entry in the audit log of a deletion by a member. It is stored when there is something to delete. */
  audit?: AuditEntry
  /** Of the member. API keys may delete everything. */
  right?: Right
}

export interface RemoveObjectJob extends AuditedRemoval {
  kind: 'remove_user' | 'remove_group'
  id: string
}

export interface RemoveMembershipJob extends AuditedRemoval {
  kind: 'remove_membership'
  userId: string
  groupId: string
}

export interface RemoveEventJob {
  kind: 'remove_event'
  id: string
}

export type RemoveJob = RemoveObjectJob | RemoveMembershipJob | RemoveEventJob

/** A change of what is remembered of a user: a claim, a renewal, a release, progress, an end. */
export interface ChangeHistoryJob<Result = unknown> extends HistoryKeys {
  kind: 'history'
  requestId?: string | undefined
  /** Of a page: the user is the one that its visitor token was made for. */
  userCreatedAt?: string | undefined
  /** The group that a new claim is to have: the user must be a member of it. */
  groupId?: string | null | undefined
  /** False: its events make no notifications. */
  notify?: boolean | undefined
  /** Changes the history, which the batch stores; or refuses, and then changes nothing. */
  change(change: Change, facts: HistoryFacts): Result | ApiError
}

/** A job of any kind (`kinds.ts`). */
export type Job = WriteJob | RemoveJob | ChangeHistoryJob | ChangeSubscriptionJob

/** The stored object as JSON text without expansions, and what else a response with expansions needs. */
export interface Written {
  json: string
  id: string
  attributesJson: string
  createdAt: string
  /** What a page sent and was not stored. */
  ignored?: readonly IgnoredAttribute[]
}

export interface IgnoredAttribute {
  /** Of the user; with `group.` or `membership.` before it, of these. */
  name: string
  reason: string
}

/** Called after the commit with the number of users or groups that were created, negative for deleted ones. */
export type StoredObserver = (environmentId: EnvironmentId, table: 'users' | 'groups', count: number) => void
