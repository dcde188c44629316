import { advisoryLocks } from '../database/advisory-locks.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'

/**
 * Starting content and publishing exclude each other, so that nothing starts on a version after the commit that let its runs
 * end: a start reads what is published after it has the lock, and a publication takes its time after it has it. It is no lock
 * of a row: starts that follow each other closely would keep a publication waiting for ever, and each would write the row.
 */

/** For a transaction that starts content in these environments. */
export async function holdPublished(
  db: Transaction,
  environments: readonly { environmentId: EnvironmentId }[],
): Promise<void> {
  await db.query('select pg_advisory_xact_lock_shared($1::int, id) from unnest($2::int[]) as held (id)', [
    advisoryLocks.environmentPublished,
    environments.map(({ environmentId }) => environmentId),
  ])
}

/** For a transaction that changes what is published. */
export async function lockPublished(db: Transaction, environmentId: EnvironmentId): Promise<void> {
  await db.query('select pg_advisory_xact_lock($1::int, $2::int)', [advisoryLocks.environmentPublished, environmentId])
}
