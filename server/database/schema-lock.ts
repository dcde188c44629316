import type pg from 'pg'

/** An arbitrary number that is the same on every node. */
const LOCK = 7_150_211

/** Held until the connection ends: only one process at a time changes, replaces or distributes the schema. */
export async function lockSchema(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1::bigint)', [LOCK])
}

/** Waits until no other process changes, replaces or distributes the schema. */
export async function awaitSchema(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1::bigint)', [LOCK])
}
