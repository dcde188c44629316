import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

/** What deleted content leaves: it is hidden at once, and removed in steps, since there may be millions of sessions. */

export async function markContentDeleted(
  db: Transaction,
  environmentId: EnvironmentId,
  contentId: string,
  at: string,
): Promise<void> {
  await db.query(
    'insert into deleted_content (environment_id, content_id, deleted_at) values ($1::int, $2::uuid, $3::timestamptz)',
    [environmentId, contentId, at],
  )
}

/** Whether a row with a `content_id` is not left over from deleted content. The few that are deleted are read once. */
export function isOfContent(row: string, environmentIs = '= $1::int'): string {
  return `${row}.content_id not in (select content_id from deleted_content where environment_id ${environmentIs})`
}

/** The tables with rows of a content, and their keys. Claims go by themselves, a day after their lease. */
const LEFT_IN = {
  content_answers: 'session_id, question',
  content_sessions: 'id',
  content_states: 'user_id, content_id',
  content_days: 'content_id, version_id, day, step, reason, bucket',
  content_answer_days: 'content_id, version_id, question, value, day',
} as const

/** Removes some rows of a deleted content from each table, but no locked ones. Returns how many there were. */
export async function removeLeftOf(
  db: Queryable,
  environmentId: EnvironmentId,
  contentId: string,
  most: number,
): Promise<number> {
  let removed = 0
  for (const [table, key] of Object.entries(LEFT_IN)) {
    const rows = await db.query(
      `delete from ${table} where environment_id = $1::int and (${key}) in (
         select ${key} from ${table} where environment_id = $1::int and content_id = $2::uuid
          limit $3::int for update skip locked)
       returning 1 as gone`,
      [environmentId, contentId, most],
    )
    removed += rows.length
  }
  return removed
}

export async function findDeletedContent(db: Queryable, environmentId: EnvironmentId): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    'select content_id as id from deleted_content where environment_id = $1::int order by deleted_at',
    [environmentId],
  )
  return rows.map(({ id }) => id)
}

/** Of a content of which nothing is left. Until an hour after its deletion it is looked for again. */
export async function forgetDeletedContent(db: Queryable, environmentId: EnvironmentId, contentId: string) {
  await db.query(
    `delete from deleted_content
      where environment_id = $1::int and content_id = $2::uuid and deleted_at < now() - interval '1 hour'`,
    [environmentId, contentId],
  )
}
