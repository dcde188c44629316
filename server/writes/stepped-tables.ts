import type { EnvironmentId, Transaction } from '../database/database.ts'
import type { SteppedTable } from '../database/tables.ts'
import type { Removal, RemovedPart } from '../deletions/steps.ts'
import { removeSessionsOf } from '../history/removal.ts'
import { eraseAnswersOf } from '../idempotency/removal.ts'
import { deleteMembershipsOf } from '../memberships/removal.ts'
import { deleteNotificationsOf } from '../outbox/removal.ts'
import { deleteEventsOf } from './event-queries.ts'

type DeleteFirst = (db: Transaction, environmentId: EnvironmentId, part: RemovedPart) => Promise<Removal>

/** What deletes the first rows about a deleted user or group, for each table whose rows go in steps. */
const STEPS: Record<SteppedTable, DeleteFirst> = {
  group_memberships: deleteMembershipsOf,
  events: deleteEventsOf,
  webhook_notifications: deleteNotificationsOf,
  content_sessions: removeSessionsOf,
  idempotency_keys: eraseAnswersOf,
}

export const deleteFirstOfTables: readonly DeleteFirst[] = Object.values(STEPS)
