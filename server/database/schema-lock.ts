import type pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

/** Held until the connection ends: only one process at a time changes, replaces or distributes the schema. */
export async function lockSchema(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock($1::bigint)', [advisoryLocks.schema])
}

/** Waits until no other process changes, replaces or distributes the schema. */
export async function awaitSchema(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_lock_shared($1::bigint)', [advisoryLocks.schema])
}
