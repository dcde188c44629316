import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MOST_LEASE_SECONDS } from '../../server/history/user-history.ts'
import type { Bench, Site } from '../bench.ts'
import { USERS } from '../bench.ts'
import { ENVIRONMENT, withDatabase } from '../seed.ts'
import { FIRST_NEW, type Traffic } from '../traffic.ts'
import { againstBare } from './requests.ts'
import type { Row } from './row.ts'

/** The rows of guided flows. The yardstick answers the same bytes. */

export const PUBLISHED = 50
/** More than a run uses up. */
const CLAIMS = 200_000

export const DECIDE: Traffic = { method: 'POST', path: '/decisions', body: '{"user_id":"user_{n}"}', users: USERS }

/** Each by another browser, so that each is a new claim, which replaces the one before. */
const CLAIM: Traffic = {
  method: 'POST',
  path: '/content_sessions',
  body: '{"content":"tour-0","user_id":"user_{n}","holder":"browser-{r}","reason":"manual"}',
  users: USERS,
}

/** The first step of a flow, each of another session: the session, its state and two events are stored. */
const PROGRESS: Traffic = {
  method: 'POST',
  path: '/content_sessions/00000000-0000-7000-8000-0000{n}/progress',
  body: '{"holder":"h","epoch":1,"reports":[{"sequence":1,"type":"step_seen","step":"hello"}]}',
  users: 'new',
}

/** From many addresses, each of which has a limit. */
const IDENTIFY: Traffic = {
  method: 'POST',
  path: '/sdk/identify',
  headers: 'x-forwarded-for: 2001:db8:{r}::1\r\nx-forwarded-proto: https\r\n',
  body: '{"user_id":"user_{n}","browser_id":"browser-{n}","protocol":1}',
  users: USERS,
}

export const guidanceRows: Row[] = [
  row('decide', `POST /decisions, ${PUBLISHED} published contents, 10 with events, 5 with groups`, 0.25, DECIDE),
  row('claim', 'POST /content_sessions, a new claim each', 0.3, CLAIM),
  row(
    'progress',
    'POST /content_sessions/:id/progress, the first step, with its session and events',
    0.35,
    PROGRESS,
    fillClaims,
  ),
  row('identify', `POST /sdk/identify that writes nothing, ${PUBLISHED} published contents`, 0.22, IDENTIFY, seeUsers),
]

type Prepare = (site: Site, traffic: Traffic) => Promise<Traffic>

function row(name: string, work: string, least: number, traffic: Traffic, prepare?: Prepare): Row {
  return {
    name,
    work,
    target: { least },
    againstBare: true,
    measure: async (bench: Bench) => {
      const site = await bench.site({ USHER_TRUSTED_PROXIES: '127.0.0.1' })
      await publishTours(site, whoOf)
      await fillHistory(site)
      const comparison = await againstBare(bench, site, prepare ? await prepare(site, traffic) : traffic)
      return { value: comparison.ratio, comparison }
    },
  }
}

/** Publishes fifty flows, each for whom `who` says by its number. */
export async function publishTours(site: Site, who: (number: number) => object): Promise<void> {
  for (let number = 0; number < PUBLISHED; number += 1) await publish(site, number, who(number))
}

async function publish({ server }: Site, number: number, who: object): Promise<void> {
  const buttons = [{ label: 'Done', do: [{ end: 'completed' }] }]
  const steps = [{ key: 'hello', type: 'dialog', blocks: [{ heading: 'Hello {{ user.name | there }}' }], buttons }]
  const document = { key: `tour-${number}`, type: 'flow', name: `Tour ${number}`, who, steps }
  const { id } = await post(server, '/content', document)
  await post(server, `/content/${id}/publish`, {})
}

/** Ten ask for two events, five for the group, the others for attributes. */
export function whoOf(number: number): object {
  const plan = { attribute: 'plan', is: 'one_of', values: ['growth', 'scale'] }
  if (number < 10) return { all: [plan, { not: { event: `done_${number}` } }, { event: 'seen', at_most: number }] }
  if (number < 15) return { any: [plan, { attribute: 'seats', of: 'group', is: 'at_least', value: number }] }
  return { any: [plan, { attribute: 'seats', is: 'at_least', value: number }] }
}

export async function post(server: Site['server'], path: string, body: object): Promise<{ id: string }> {
  const response = await server.call('POST', path, body)
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string }
}

/**
 * Claims, sessions and states of other users. PostgreSQL plans the statements once for each connection, and by tables that
 * have no rows it chooses plans that read the whole table later, until its own analysis a minute after.
 */
async function fillHistory({ database: url }: Site): Promise<void> {
  const rows = `content, generate_series(1, ${USERS}) as n where content.environment_id = $1::int and content.key = 'tour-1'`
  const of = `$1::int, ('00000000-0000-7000-8001-' || lpad(n::text, 12, '0'))::uuid, 'other_' || n, content.id,
    content.published_version_id, 'flow'`
  const columns = 'environment_id, id, user_id, content_id, version_id, type'
  await withDatabase(url, async (database) => {
    await database.query(
      `insert into content_claims (${columns}, holder, epoch, sequence, state, reason, lease_until, created_at)
       select ${of}, 'h', 1, 1, 'shown', 'auto', now() + interval '1 hour', now() from ${rows}`,
      [ENVIRONMENT],
    )
    await database.query(
      `insert into content_sessions (${columns}, state, reason, epoch, sequence, created_at, last_activity_at)
       select ${of}, 'active', 'auto', 1, 1, now(), now() from ${rows}`,
      [ENVIRONMENT],
    )
    await database.query(
      `insert into content_states (environment_id, user_id, content_id, started, last_started_at, active_session_id)
       select environment_id, user_id, content_id, 1, created_at, id from content_sessions where environment_id = $1::int`,
      [ENVIRONMENT],
    )
    await database.query('vacuum (analyze)', [])
  })
}

/**
 * A claim of a user of its own for each number that a generator may use. No lease is longer than two minutes, so the claims
 * are made last, and a run has to end before.
 */
async function fillClaims({ database: url }: Site, traffic: Traffic): Promise<Traffic> {
  const numbers = Object.values(FIRST_NEW).map((first) => [first, first + CLAIMS])
  await withDatabase(url, async (database) => {
    for (const range of numbers)
      await database.query(
        `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
         select $1::int, 'user_' || n, '{}', now(), '', '', '' from generate_series($2::int, $3::int) as n`,
        [ENVIRONMENT, ...range],
      )
    await database.query('vacuum (analyze)', [])
    for (const range of numbers)
      await database.query(
        `insert into content_claims (environment_id, id, user_id, content_id, version_id, type, holder, epoch, sequence,
                                     state, reason, lease_until, created_at)
         select $1::int, ('00000000-0000-7000-8000-0000' || n)::uuid, 'user_' || n, content.id, content.published_version_id,
                'flow', 'h', 1, 0, 'claimed', 'auto', clock_timestamp() + make_interval(secs => $4::int), now()
           from content, generate_series($2::int, $3::int) as n
          where content.environment_id = $1::int and content.key = 'tour-0'`,
        [ENVIRONMENT, ...range, MOST_LEASE_SECONDS],
      )
    await database.query('vacuum (analyze) content_claims', [])
  })
  return traffic
}

/** Users that were seen just now, and a public token. */
async function seeUsers({ database: url }: Site, traffic: Traffic): Promise<Traffic> {
  await withDatabase(url, async (database) => {
    const seen = new Date().toISOString()
    await database.query(
      `update users set attributes = attributes || jsonb_build_object('last_seen_at', $2::text) where environment_id = $1::int`,
      [ENVIRONMENT, seen],
    )
    await database.query('vacuum (full, analyze) users', [])
  })
  return { ...traffic, key: await createToken(url) }
}

export async function createToken(url: string): Promise<string> {
  const main = fileURLToPath(new URL('../../bin/usher.js', import.meta.url))
  const args = [main, 'tokens', 'create', '--environment', 'Production', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, DATABASE_URL: url } })
  return (JSON.parse(stdout) as { token: string }).token
}
