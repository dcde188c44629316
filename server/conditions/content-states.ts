import type { EnvironmentId, Queryable } from '../database/database.ts'
import { countedColumns, countedStates } from '../history/counted.ts'
import { ms } from '../history/find.ts'
import type { ContentFacts, Facts } from './facts.ts'

type Stored = Record<'seenAt' | 'completedAt' | 'dismissedAt', number | null> & { key: string; isActive: boolean }

/** What the user has seen of the content with these keys. */
export async function findContentFacts(
  db: Queryable,
  environmentId: EnvironmentId,
  userId: string,
  keys: readonly string[],
): Promise<Facts['content']> {
  const rows = await db.query<Stored>(
    `select content.key, ${ms(countedColumns.last_started_at)} as "seenAt",
            ${ms(countedColumns.completed_at)} as "completedAt", ${ms(countedColumns.dismissed_at)} as "dismissedAt",
            ${countedColumns.active_session_id} is not null as "isActive"
       from ${countedStates}
      where state.environment_id = $1::int and state.user_id = $2::text and content.key = any($3::text[])`,
    [environmentId, userId, keys],
  )
  return new Map(rows.map(({ key, ...times }) => [key, factsOf(times)]))
}

function factsOf({ seenAt, completedAt, dismissedAt, isActive }: Omit<Stored, 'key'>): ContentFacts {
  return {
    seenAt: seenAt ?? undefined,
    completedAt: completedAt ?? undefined,
    dismissedAt: dismissedAt ?? undefined,
    isActive,
  }
}
