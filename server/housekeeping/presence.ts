import { hostname } from 'node:os'
import type { Queryable } from '../database/database.ts'
import { VERSION } from '../version.ts'

export const thisNode = `${hostname()} ${process.pid}`

/** By the clock of the database: a node whose own clock is wrong neither looks gone nor removes the others. */
export async function recordPresence(db: Queryable): Promise<void> {
  await db.query(
    `insert into nodes (name, version, started_at, seen_at, opens_sealed)
     values ($1::text, $2::text, now() - $3::float8 * interval '1 second', now(), true)
     on conflict (name) do update
        set version = excluded.version, started_at = excluded.started_at, seen_at = excluded.seen_at, opens_sealed = true`,
    [thisNode, VERSION, process.uptime()],
  )
  await db.query(`delete from nodes where seen_at < now() - interval '1 day'`, [])
}

/** A process that stops in order removes its record at once. */
export async function endPresence(db: Queryable): Promise<void> {
  await db.query('delete from nodes where name = $1::text', [thisNode])
}
