import { newId } from '../ids.ts'
import type { EnvironmentId, Queryable } from './queryable.ts'

/**
 * The outcome of a transaction on a sharded PostgreSQL. The coordinator does not know it: its own transaction may have been
 * rolled back although the worker has committed. So each transaction of an environment inserts a marker into the same
 * shard. The marker exists exactly when the transaction was committed.
 */
export interface CommitMarker {
  environmentId: EnvironmentId
  id: string
}

export function newMarker(environmentId: EnvironmentId): CommitMarker {
  return { environmentId, id: newId() }
}

export async function insertMarker(db: Queryable, { environmentId, id }: CommitMarker): Promise<void> {
  await db.query('insert into commit_markers (environment_id, id, is_committed) values ($1::int, $2::uuid, true)', [
    environmentId,
    id,
  ])
}

/**
 * Whether the transaction has committed. Waits for a transaction that is still open. When there is no marker, a marker of
 * a rollback is stored: it conflicts with the marker of the transaction, which therefore cannot commit later. So the
 * answer is final.
 */
export async function resolveMarker(db: Queryable, { environmentId, id }: CommitMarker): Promise<boolean> {
  const [row] = await db.query<{ is_committed: boolean }>(
    `insert into commit_markers as marker (environment_id, id, is_committed) values ($1::int, $2::uuid, false)
     on conflict (environment_id, id) do update set is_committed = marker.is_committed
     returning is_committed`,
    [environmentId, id],
  )
  return row?.is_committed === true
}

/** Markers are needed for some seconds only. The id of a marker begins with its time. */
export async function deleteMarkers(db: Queryable, environmentId: EnvironmentId, beforeId: string): Promise<void> {
  await db.query('delete from commit_markers where environment_id = $1::int and id < $2::uuid', [
    environmentId,
    beforeId,
  ])
}
