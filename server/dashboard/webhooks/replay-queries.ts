import type { EnvironmentId, Queryable } from '../../database/database.ts'

export type ReplayState = 'running' | 'finished' | 'cancelled'

export interface ReplayRow {
  id: string
  subscription_id: string
  since: string
  until: string
  state: ReplayState
  done: number
  written: number
  total: number
  started_by: string | null
  started_at: string
  alive_at: string
}

const COLUMNS = 'id, subscription_id, since, until, state, done, written, total, started_by, started_at, alive_at'
const MOST_LISTED = 20

export async function insertReplay(
  db: Queryable,
  environmentId: EnvironmentId,
  row: Omit<ReplayRow, 'state' | 'done' | 'written' | 'alive_at'>,
): Promise<void> {
  await db.query(
    `insert into webhook_replays
       (environment_id, id, subscription_id, since, until, state, done, written, total, started_by, started_at, alive_at)
     values ($1::int, $2::uuid, $3::uuid, $4::timestamptz, $5::timestamptz, 'running', 0, 0, $6::bigint, $7::text,
             $8::timestamptz, $8::timestamptz)`,
    [environmentId, row.id, row.subscription_id, row.since, row.until, row.total, row.started_by, row.started_at],
  )
}

export async function listReplays(
  db: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
): Promise<ReplayRow[]> {
  return await db.query<ReplayRow>(
    `select ${COLUMNS} from webhook_replays
      where environment_id = $1::int and subscription_id = $2::uuid
      order by id desc
      limit ${MOST_LISTED}`,
    [environmentId, subscriptionId],
  )
}

export async function findReplay(
  db: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
  id: string,
): Promise<ReplayRow | undefined> {
  const [row] = await db.query<ReplayRow>(
    `select ${COLUMNS} from webhook_replays
      where environment_id = $1::int and subscription_id = $2::uuid and id = $3::uuid`,
    [environmentId, subscriptionId, id],
  )
  return row
}

/** Returns false when the replay was cancelled meanwhile. */
export async function advanceReplay(
  db: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
  id: string,
  progress: { done: number; written: number; at: string },
): Promise<boolean> {
  const rows = await db.query(
    `update webhook_replays
        set done = done + $4::bigint, written = written + $5::bigint, alive_at = $6::timestamptz
      where environment_id = $1::int and subscription_id = $2::uuid and id = $3::uuid and state = 'running'
     returning 1`,
    [environmentId, subscriptionId, id, progress.done, progress.written, progress.at],
  )
  return rows.length > 0
}

/** Ends a replay that is running. Returns false when it is not. */
export async function endReplay(
  db: Queryable,
  environmentId: EnvironmentId,
  subscriptionId: string,
  id: string,
  state: 'finished' | 'cancelled',
): Promise<boolean> {
  const rows = await db.query(
    `update webhook_replays set state = $4::text
      where environment_id = $1::int and subscription_id = $2::uuid and id = $3::uuid and state = 'running'
     returning 1`,
    [environmentId, subscriptionId, id, state],
  )
  return rows.length > 0
}
