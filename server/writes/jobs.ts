import type { Operations } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'

/** What a request asks to be stored. Ids and creation times are given by the batch that stores it. */
export interface UpsertUserJob {
  kind: 'user'
  id: string
  operations: Operations
  groups: readonly GroupPart[]
  prune: boolean
  /** False: no notification is made. */
  notify?: boolean
}

/** A group that a user is made a member of, and where in the request it stands. */
export interface GroupPart {
  id: string
  operations: Operations
  membershipOperations: Operations
  groupPath: string
  membershipPath: string
}

export interface UpsertGroupJob {
  kind: 'group'
  id: string
  operations: Operations
}

export interface TrackEventJob {
  kind: 'event'
  name: string
  userId: string | null
  groupId: string | null
  operations: Operations
  /** As the caller wrote it, or when it was received; as text and as an instant. */
  time: string
  timeMs: number
  /** False: no notification is made. */
  notify?: boolean
}

export type WriteJob = UpsertUserJob | UpsertGroupJob | TrackEventJob

/** The stored object as JSON text without expansions, and what else a response with expansions needs. */
export interface Written {
  json: string
  id: string
  attributesJson: string
  createdAt: string
}

/** Called after the commit with the number of users or groups that were created, negative for deleted ones. */
export type StoredObserver = (environmentId: EnvironmentId, table: 'users' | 'groups', count: number) => void
