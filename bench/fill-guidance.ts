import { MOST_LEASE_SECONDS } from '../server/history/user-history.ts'
import { USERS } from './bench.ts'
import { ENVIRONMENT, withDatabase } from './seed.ts'
import { FIRST_NEW } from './traffic.ts'

/** What the rows of guided flows find in the database. */

/** For each generator more numbers than a run uses up. */
const NUMBERS = Object.values(FIRST_NEW).map((first) => [first, first + 200_000])

/**
 * Claims, sessions and states of other users. PostgreSQL plans the statements once for each connection, and by tables that
 * have no rows it chooses plans that read the whole table later, until its own analysis a minute after.
 */
export async function fillHistory(url: string): Promise<void> {
  const rows = `content, generate_series(1, ${USERS}) as n where content.environment_id = $1::int and content.key = 'tour-1'`
  const of = `$1::int, ('00000000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid, 'other_' || n, content.id,
    content.published_version_id, 'flow'`
  await withDatabase(url, async (database) => {
    await database.query(
      `insert into content_claims (${RUN_COLUMNS}, holder, epoch, sequence, state, reason, lease_until, created_at)
       select ${of}, 'h', 1, 1, 'shown', 'auto', now() + interval '1 hour', now() from ${rows}`,
      [ENVIRONMENT],
    )
    await database.query(
      `insert into content_sessions (${RUN_COLUMNS}, state, reason, epoch, sequence, created_at, last_activity_at)
       select ${of}, 'active', 'auto', 1, 1, now(), now() from ${rows}`,
      [ENVIRONMENT],
    )
    await database.query(INSERT_STATES, [ENVIRONMENT, 'tour-1'])
    await database.query('vacuum (analyze)', [])
  })
}

/** One of these for each number that a generator may use, each of a user of its own. */
interface Runs {
  /** The key of what is shown. */
  readonly content: string
  /** The fourth group of the digits of their ids. */
  readonly idGroup: string
  readonly sequence: number
}

/** Sessions at their first step, with their states. */
export async function fillBegunSessions(url: string, { content, idGroup, sequence }: Runs): Promise<void> {
  await withDatabase(url, async (database) => {
    for (const range of NUMBERS)
      await database.query(
        `insert into content_sessions (${RUN_COLUMNS}, state, reason, step, steps, progress, epoch, sequence, created_at,
                                       last_activity_at)
         select ${RUN}, 'active', 'auto', 'hello', '["hello"]', '1/2', 1, $6::int, now(), now() from ${RUN_SOURCE}`,
        [ENVIRONMENT, ...range, content, idGroup, sequence],
      )
    await database.query(INSERT_STATES, [ENVIRONMENT, content])
    await database.query('vacuum (analyze) content_sessions, content_states', [])
  })
}

/** Claims, and their users. No lease is longer than two minutes, so they are made last, and a run has to end before. */
export async function fillClaims(
  url: string,
  { content, idGroup, sequence, state }: Runs & { readonly state: 'claimed' | 'shown' },
): Promise<void> {
  await withDatabase(url, async (database) => {
    for (const range of NUMBERS)
      await database.query(
        `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
         select $1::int, 'user_' || n, '{}', now(), '', '', '' from generate_series($2::int, $3::int) as n`,
        [ENVIRONMENT, ...range],
      )
    await database.query('vacuum (analyze)', [])
    for (const range of NUMBERS)
      await database.query(
        `insert into content_claims (${RUN_COLUMNS}, holder, epoch, sequence, state, reason, lease_until, created_at)
         select ${RUN}, 'h', 1, $6::int, $7::text, 'auto', clock_timestamp() + make_interval(secs => $8::int), now()
           from ${RUN_SOURCE}`,
        [ENVIRONMENT, ...range, content, idGroup, sequence, state, MOST_LEASE_SECONDS],
      )
    await database.query('vacuum (analyze) content_claims', [])
  })
}

const RUN_COLUMNS = 'environment_id, id, user_id, content_id, version_id, type'
const RUN = `$1::int, ('00000000-0000-7000-' || $5::text || '-0000' || n)::uuid, 'user_' || n, content.id,
  content.published_version_id, 'flow'`
const RUN_SOURCE = `generate_series($2::int, $3::int) as n, content
  where content.environment_id = $1::int and content.key = $4::text`

/** Those of the sessions of one content. */
const INSERT_STATES = `
  insert into content_states (environment_id, user_id, content_id, started, last_started_at, active_session_id)
  select environment_id, user_id, content_id, 1, created_at, id
    from content_sessions
   where environment_id = $1::int and content_id = (select id from content where environment_id = $1::int and key = $2::text)`
