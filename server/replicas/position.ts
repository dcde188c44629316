import type { QueryResultRow } from 'pg'
import type { Queryable } from '../database/database.ts'

/** A position in the write-ahead log. Positions of the same timeline compare by their bytes. */
export interface LogPosition {
  /** A new one begins when a standby becomes the primary. */
  timeline: number
  bytes: number
}

/** The replay position of a standby, and its identity. */
export interface StandbyState extends LogPosition {
  systemId: string
  isStandby: boolean
}

/**
 * A position after every commit that any node acknowledged before this statement was sent. An asynchronous commit is
 * acknowledged before it is flushed.
 */
export async function primaryPosition(db: Queryable): Promise<LogPosition> {
  const [row] = await db.query<LogPosition & QueryResultRow>(
    `select ('x' || left(pg_walfile_name(lsn), 8))::bit(32)::int as timeline, (lsn - '0/0'::pg_lsn)::int8 as bytes
       from (select case current_setting('synchronous_commit')
                    when 'off' then pg_current_wal_insert_lsn()
                    else pg_current_wal_flush_lsn() end as lsn) as log`,
    [],
  )
  return row as LogPosition
}

/**
 * Replayed changes are visible to the next statement. The timeline is that of the last restart point, so a standby that
 * follows a new primary shows it only after the next restart point.
 */
export async function standbyStateOf(db: Queryable): Promise<StandbyState> {
  const [row] = await db.query<StandbyState & QueryResultRow>(
    `select (select system_identifier::text from pg_control_system()) as "systemId",
            pg_is_in_recovery() as "isStandby",
            greatest((select timeline_id from pg_control_checkpoint()),
                     (select min_recovery_end_timeline from pg_control_recovery())) as timeline,
            coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::int8 as bytes`,
    [],
  )
  return row as StandbyState
}

export async function systemIdOf(db: Queryable): Promise<string> {
  const [row] = await db.query<{ id: string }>('select system_identifier::text as id from pg_control_system()', [])
  return row?.id as string
}
