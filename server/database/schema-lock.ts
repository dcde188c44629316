import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { advisoryLocks } from './advisory-locks.ts'

/** How long a process that waits for another leaves between two looks. */
const PAUSE_MS = 50

/** Held until the connection ends: only one process at a time changes, replaces or distributes the schema. */
export async function lockSchema(client: pg.ClientBase): Promise<void> {
  await take(client, 'pg_try_advisory_lock')
}

/** Waits until no other process changes, replaces or distributes the schema. */
export async function awaitSchema(client: pg.ClientBase): Promise<void> {
  await take(client, 'pg_try_advisory_lock_shared')
}

/**
 * Asks again and again. A statement that waited for the lock would keep its snapshot for so long, and an index that the holder
 * makes concurrently waits for every older snapshot: a deadlock.
 */
async function take(client: pg.ClientBase, tryLock: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select ${tryLock}($1::bigint) as taken`, [
      advisoryLocks.schema,
    ])
    if (rows[0]?.taken) return
    await sleep(PAUSE_MS)
  }
}
