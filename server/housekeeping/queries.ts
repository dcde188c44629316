import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

/** Includes those that are being deleted, and 0, under which requests without a known key are counted. */
export async function listAllEnvironments(db: Queryable): Promise<EnvironmentId[]> {
  const rows = await db.query<{ id: EnvironmentId }>('select id from environments union all select 0', [])
  return rows.map(({ id }) => id)
}

/** Environments that were deleted long enough ago that no node still caches their keys. */
export async function listDeletedEnvironments(db: Queryable, deletedBefore: string): Promise<EnvironmentId[]> {
  const rows = await db.query<{ id: EnvironmentId }>(
    'select id from environments where deleted_at < $1::timestamptz order by id',
    [deletedBefore],
  )
  return rows.map(({ id }) => id)
}

/** Whether this node may sweep the environment: one node at a time does. */
export async function lockSweep(db: Transaction, environmentId: EnvironmentId): Promise<boolean> {
  const [row] = await db.query<{ locked: boolean }>('select pg_try_advisory_xact_lock(7150212, $1::int) as locked', [
    environmentId,
  ])
  return row?.locked === true
}

/** Deletes a portion of the rows that an environment has in a table. Returns how many. */
export async function deletePortion(
  db: Transaction,
  environmentId: EnvironmentId,
  table: string,
  limit: number,
): Promise<number> {
  const rows = await db.query(
    `delete from ${table}
      where environment_id = $1::int
        and (tableoid, ctid) in (select tableoid, ctid from ${table} where environment_id = $1::int limit $2::int)
     returning 1`,
    [environmentId, limit],
  )
  return rows.length
}

export async function deleteEnvironmentRow(db: Transaction, environmentId: EnvironmentId): Promise<void> {
  await db.query('delete from environments where id = $1::int and deleted_at is not null', [environmentId])
}
