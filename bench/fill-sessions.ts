import { bytesText } from '../server/database/table-sizes.ts'
import { ENVIRONMENT, withDatabase } from './seed.ts'

const ROWS_PER_STATEMENT = 200_000

/** Sessions that are over, of the users in turn, one every 100 ms until now, with their states and, of a tenth, an answer. */
export async function fillSessions(url: string, contentId: string, count: number, userCount: number): Promise<void> {
  await withDatabase(url, async (database) => {
    for (let first = 0; first < count; first += ROWS_PER_STATEMENT) {
      const last = Math.min(first + ROWS_PER_STATEMENT, count) - 1
      await database.query(INSERT_SESSIONS, [ENVIRONMENT, contentId, first, last, userCount, count])
    }
    await database.query(INSERT_STATES, [ENVIRONMENT, contentId])
    await database.query(INSERT_ANSWERS, [ENVIRONMENT, contentId])
    await database.query('vacuum (analyze)', [])
  })
}

/** What the tables of the history take. */
export async function sessionBytes(url: string): Promise<string> {
  return await withDatabase(url, async (database) => {
    const rows = await database.query<{ name: string; bytes: number }>(
      `select name, pg_total_relation_size(name::regclass)::float8 as bytes
         from unnest(array['content_sessions', 'content_states', 'content_answers', 'content_days']) as name`,
      [],
    )
    return rows.map(({ name, bytes }) => `${name} ${bytesText(bytes)}`).join(', ')
  })
}

const RECEIPT = `'{"object":"receipt","content":"tour","shown":true,"gates":[{"gate":"who","open":true}]}'`

const INSERT_SESSIONS = `
  insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, step, progress, steps,
         epoch, sequence, created_at, last_activity_at, completed_at, ended_at, end_reason, receipt)
  select $1::int, (lpad(to_hex((extract(epoch from began) * 1000)::bigint), 12, '0') || '7000' || '8' || substr(md5(n::text), 1, 15))::uuid,
         content.id, content.published_version_id, 'flow', 'user_' || lpad(((n * 7919) % $5::bigint)::text, 8, '0'),
         case when n % 3 = 0 then 'dismissed' else 'completed' end, 'auto', 'hello', '1/1', '["hello"]', 1, 3,
         began, began, case when n % 3 > 0 then began + interval '20 s' end, began + interval '20 s',
         case when n % 3 = 0 then 'close_button' else 'button' end, ${RECEIPT}::jsonb
    from generate_series($3::bigint, $4::bigint) as n
   cross join lateral (select date_trunc('milliseconds', now() - interval '1 hour' - ($6::bigint - n) * interval '100 ms') as began) as time
    join content on content.environment_id = $1::int and content.id = $2::uuid`

const INSERT_STATES = `
  insert into content_states (environment_id, user_id, content_id, started, first_started_at, last_started_at, completed_at, last_ended_at)
  select environment_id, user_id, content_id, count(*), min(created_at), max(created_at), max(completed_at), max(ended_at)
    from content_sessions where environment_id = $1::int and content_id = $2::uuid
   group by environment_id, user_id, content_id`

const INSERT_ANSWERS = `
  insert into content_answers (environment_id, session_id, question, id, user_id, content_id, version_id, name, number_answer,
         epoch, sequence, created_at)
  select environment_id, id, 'ease', gen_random_uuid(), user_id, content_id, version_id, 'How easy?', 7, 1, 2, created_at
    from content_sessions
   where environment_id = $1::int and content_id = $2::uuid and substr(id::text, 36, 1) = '0'`
