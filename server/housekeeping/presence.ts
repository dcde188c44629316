import { hostname } from 'node:os'
import type { Queryable } from '../database/database.ts'
import { VERSION } from '../version.ts'

export const thisNode = `${hostname()} ${process.pid}`

const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()
const KEPT_MS = 24 * 60 * 60 * 1000

export async function recordPresence(db: Queryable, now = Date.now()): Promise<void> {
  await db.query(
    `insert into nodes (name, version, started_at, seen_at, opens_sealed)
     values ($1::text, $2::text, $3::timestamptz, $4::timestamptz, true)
     on conflict (name) do update
        set version = excluded.version, started_at = excluded.started_at, seen_at = excluded.seen_at, opens_sealed = true`,
    [thisNode, VERSION, startedAt, new Date(now).toISOString()],
  )
  await db.query('delete from nodes where seen_at < $1::timestamptz', [new Date(now - KEPT_MS).toISOString()])
}

/** A process that stops in order removes its record at once. */
export async function endPresence(db: Queryable): Promise<void> {
  await db.query('delete from nodes where name = $1::text', [thisNode])
}
