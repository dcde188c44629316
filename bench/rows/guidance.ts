import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench, Site } from '../bench.ts'
import { USERS } from '../bench.ts'
import { fillBegunSessions, fillClaims, fillHistory } from '../fill-guidance.ts'
import { ENVIRONMENT, withDatabase } from '../seed.ts'
import type { Traffic } from '../traffic.ts'
import { againstBare } from './requests.ts'
import type { Row } from './row.ts'

/** The rows of guided flows. The yardstick answers the same bytes. */

export const PUBLISHED = 50

export const DECIDE: Traffic = { method: 'POST', path: '/decisions', body: '{"user_id":"user_{n}"}', users: USERS }

/** Each by another browser, so that each is a new claim, which replaces the one before. */
const CLAIM: Traffic = {
  method: 'POST',
  path: '/content_sessions',
  body: '{"content":"tour-0","user_id":"user_{n}","holder":"browser-{r}","reason":"manual"}',
  users: USERS,
}

/** The first step of a flow, each of another session: the session, its state and two events are stored. */
const FIRST_STEP: Traffic = {
  method: 'POST',
  path: '/content_sessions/00000000-0000-7000-8000-0000{n}/progress',
  body: '{"holder":"h","epoch":1,"reports":[{"sequence":1,"type":"step_seen","step":"hello"}]}',
  users: 'new',
}

/** A further step, each of another session: the session and an event are stored. */
const NEXT_STEP: Traffic = {
  method: 'POST',
  path: '/content_sessions/00000000-0000-7000-8002-0000{n}/progress',
  body: '{"holder":"h","epoch":1,"reports":[{"sequence":2,"type":"step_seen","step":"goodbye"}]}',
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
    FIRST_STEP,
    claimTours,
  ),
  row(
    'progress-next',
    'POST /content_sessions/:id/progress, a further step, with its event',
    0.35,
    NEXT_STEP,
    beginTours,
  ),
  row('identify', `POST /sdk/identify that writes nothing, ${PUBLISHED} published contents`, 0.22, IDENTIFY, seeUsers),
]

/** Fills the database. What it returns is of this site. */
type Prepare = (site: Site) => Promise<Partial<Traffic>>

function row(name: string, work: string, least: number, traffic: Traffic, prepare?: Prepare): Row {
  return {
    name,
    work,
    target: { least },
    againstBare: true,
    measure: async (bench: Bench) => {
      const site = await bench.site({ USHER_TRUSTED_PROXIES: '127.0.0.1' })
      await publishTours(site, whoOf)
      await fillHistory(site.database)
      const comparison = await againstBare(bench, site, { ...traffic, ...(await prepare?.(site)) })
      return { value: comparison.ratio, comparison }
    },
  }
}

/** Publishes fifty flows, each for whom `who` says by its number. */
export async function publishTours(site: Site, who: (number: number) => object): Promise<void> {
  for (let number = 0; number < PUBLISHED; number += 1)
    await publish(site, { key: `tour-${number}`, who: who(number), steps: [stepOf('hello')] })
}

async function publish({ server }: Site, flow: { key: string; who: object; steps: object[] }): Promise<void> {
  const { id } = await post(server, '/content', { ...flow, type: 'flow', name: flow.key })
  await post(server, `/content/${id}/publish`, {})
}

function stepOf(key: string, action: object = { end: 'completed' }): object {
  const buttons = [{ label: 'Done', do: [action] }]
  return { key, type: 'dialog', blocks: [{ heading: 'Hello {{ user.name | there }}' }], buttons }
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

/** A claim of a user of its own for each number. */
async function claimTours({ database }: Site): Promise<Partial<Traffic>> {
  await fillClaims(database, { content: 'tour-0', idGroup: '8000', state: 'claimed', sequence: 0 })
  return {}
}

/** A flow of two steps, and a session of a user of its own at its first step for each number. */
async function beginTours(site: Site): Promise<Partial<Traffic>> {
  const content = 'two-steps'
  await publish(site, {
    key: content,
    who: whoOf(0),
    steps: [stepOf('hello', { go_to: 'goodbye' }), stepOf('goodbye')],
  })
  const run = { content, idGroup: '8002', sequence: 1 }
  await fillBegunSessions(site.database, run)
  await fillClaims(site.database, { ...run, state: 'shown' })
  return {}
}

/** Users that were seen just now, and a public token. */
async function seeUsers({ database: url }: Site): Promise<Partial<Traffic>> {
  await withDatabase(url, async (database) => {
    const seen = new Date().toISOString()
    await database.query(
      `update users set attributes = attributes || jsonb_build_object('last_seen_at', $2::text) where environment_id = $1::int`,
      [ENVIRONMENT, seen],
    )
    await database.query('vacuum (full, analyze) users', [])
  })
  return { key: await createToken(url) }
}

export async function createToken(url: string): Promise<string> {
  const main = fileURLToPath(new URL('../../bin/usher.js', import.meta.url))
  const args = [main, 'tokens', 'create', '--environment', 'Production', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, DATABASE_URL: url } })
  return (JSON.parse(stdout) as { token: string }).token
}
