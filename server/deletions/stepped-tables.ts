import type { EnvironmentId, Transaction } from '../database/database.ts'
import type { SteppedTable } from '../database/tables.ts'
import { eraseAnswersOf } from './answers.ts'
import { deleteEventsOf } from './events.ts'
import { deleteMembershipsOf } from './memberships.ts'
import { deleteNotificationsOf } from './notifications.ts'
import { removeSessionsOf } from './sessions.ts'
import type { Removal, RemovedPart } from './steps.ts'

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
