import type { EnvironmentId, Transaction } from '../database/database.ts'

/** Up to when the runs of an environment are summed. */
export interface Summed {
  readonly summed_until: string
  readonly answers_until: string
}

/**
 * Locks the sums of an environment until the end of the transaction, also before the first sum: without a row there is nothing
 * to lock, so it is made. Whoever changes sums has this lock, so that no two wait for each other's rows.
 */
export async function lockSums(db: Transaction, environmentId: EnvironmentId): Promise<Summed> {
  await db.query(
    `insert into content_sums (environment_id, summed_until) values ($1::int, '-infinity') on conflict do nothing`,
    [environmentId],
  )
  const [summed] = await db.query<Summed>(
    `select summed_until::text, coalesce(answers_until, '-infinity')::text as answers_until
       from content_sums where environment_id = $1::int for update`,
    [environmentId],
  )
  return summed ?? { summed_until: '-infinity', answers_until: '-infinity' }
}
