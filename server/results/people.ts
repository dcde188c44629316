import type { RunFilter } from '../../contract/dashboard/results.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { type Place, placeValues } from './place.ts'

export interface RunOfUser {
  id: string
  user_id: string
  at: string
  completed_at: string | null
  ended_at: string | null
  end_reason: string | null
}

/** One page looks at no more runs than these: it may be short, or empty, and say where to go on. */
const MOST_LOOKED_AT = 20_000

/** What a run must be, with the values from the seventh parameter on. */
function conditionOf({ of, step, reason, question, value }: RunFilter): { sql: string; values: unknown[] } {
  switch (of) {
    case 'seen':
      return { sql: 'true', values: [] }
    case 'completed':
      return { sql: 'completed_at is not null', values: [] }
    case 'open':
      return { sql: 'completed_at is null and ended_at is null', values: [] }
    case 'left':
      return {
        sql: `completed_at is null and ended_at is not null and ($7::text is null or coalesce(step, '') = $7::text)
              and ($8::text is null or end_reason = $8::text)`,
        values: [step ?? null, reason ?? null],
      }
    case 'reached':
      return { sql: `(case type when 'checklist' then tasks else steps end) ? $7::text`, values: [step ?? ''] }
    case 'answered':
      return {
        sql: `exists (select from content_answers as answer
                       where answer.environment_id = $1::int and answer.session_id = looked.id and question = $7::text
                         and ($8::text is null or number_answer::text = $8::text or text_answer = $8::text
                              or list_answer ? $8::text))`,
        values: [question ?? '', value ?? null],
      }
  }
}

/** The runs that a figure counts, newest first. Those of earlier than a retention, or of deleted users, are counted only. */
export async function findPeople(
  db: Reader,
  environmentId: EnvironmentId,
  of: { contentId: string; versionId: string; since: string },
  filter: RunFilter,
  { before, limit }: { before: Place | undefined; limit: number },
): Promise<{ rows: RunOfUser[]; next: Place | null }> {
  const { sql, values } = conditionOf(filter)
  const place = placeValues(before)
  const looked = `
    from (select environment_id, id, user_id, version_id, type, created_at, completed_at, ended_at, end_reason, step, steps, tasks
            from content_sessions
           where environment_id = $1::int and content_id = $2::uuid and (created_at, id) < ($4::timestamptz, $5::uuid)
             and created_at >= $6::date::timestamp at time zone 'UTC'
           order by created_at desc, id desc limit ${MOST_LOOKED_AT}) as looked`
  const rows = await db.queryUnprepared<RunOfUser & Record<string, unknown>>(
    `select id, user_id, created_at as at, completed_at, ended_at, end_reason ${looked}
      where version_id = $3::uuid and ${isNotDeletedBy('looked', 'user')} and ${sql}
      order by created_at desc, id desc limit ${limit + 1}`,
    [environmentId, of.contentId, of.versionId, ...place, of.since, ...values],
  )
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (rows.length > limit && last) return { rows: shown, next: { at: last.at, id: last.id } }
  return { rows: shown, next: await endOfLook(db, environmentId, of, place) }
}

/** The last run that a page has looked at; null when there is none after it. */
async function endOfLook(
  db: Reader,
  environmentId: EnvironmentId,
  { contentId, since }: { contentId: string; since: string },
  place: readonly string[],
): Promise<Place | null> {
  const [last] = await db.query<Place & Record<string, unknown>>(
    `select created_at as at, id from content_sessions
      where environment_id = $1::int and content_id = $2::uuid and (created_at, id) < ($3::timestamptz, $4::uuid)
        and created_at >= $5::date::timestamp at time zone 'UTC'
      order by created_at desc, id desc offset ${MOST_LOOKED_AT - 1} limit 1`,
    [environmentId, contentId, ...place, since],
  )
  return last ?? null
}
