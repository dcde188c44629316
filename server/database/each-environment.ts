import { eachAtMost } from './each-at-most.ts'
import { isUnreachable } from './errors.ts'
import type { EnvironmentId, Queryable } from './queryable.ts'

const AT_ONCE = 4

/**
 * For a sharded PostgreSQL, where one statement for all environments fails while any worker is unreachable: each environment gets
 * a separate statement, and those on other workers succeed. The failed ones are repeated in the next round.
 */
export async function eachEnvironment(
  db: Queryable,
  work: (environmentId: EnvironmentId) => Promise<unknown>,
): Promise<void> {
  const rows = await db.query<{ id: EnvironmentId }>('select id from environments order by id', [])
  await eachAtMost(AT_ONCE, rows, ({ id }) => work(id).catch(passWhenUnreachable))
}

function passWhenUnreachable(error: unknown): void {
  if (!isUnreachable(error)) throw error
}
