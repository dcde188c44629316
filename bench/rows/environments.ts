import type { Bench, Site } from '../bench.ts'
import { CONNECTIONS, compare } from '../compare.ts'
import { HAS_PROC, residentMegabytes } from '../proc.ts'
import { ENVIRONMENT, seedEnvironments, withDatabase } from '../seed.ts'
import { environmentKey, type Traffic, userId } from '../traffic.ts'
import { DECIDE, PUBLISHED, publishTours, whoOf } from './guidance.ts'
import { EVENT, EXISTING_USER, GET_USER } from './requests.ts'
import { type Measured, notMeasured, type Row } from './row.ts'
import { compareStarts } from './start.ts'

/** Many environments on one server, compared with one environment of as many users. */

const ENVIRONMENTS = 300
const USERS_EACH = 30
const MANY_ENVIRONMENTS = 10_000

export const environmentRows: Row[] = [
  row('environments-events', 'POST /events', 0.6, EVENT),
  row('environments-users', 'POST /users, existing user', 0.5, EXISTING_USER),
  row('environments-get-user', 'GET /users/:id', 0.5, GET_USER),
  row('environments-decide', `POST /decisions, ${PUBLISHED} published contents in each,`, 0.6, DECIDE, publishInAll),
  {
    name: 'environments-memory',
    work: `memory that an event of each of ${MANY_ENVIRONMENTS.toLocaleString('en')} environments adds to that of one environment`,
    target: { most: 50, unit: 'MB' },
    measure: memory,
  },
  {
    name: 'environments-start',
    work: `start to first answer with ${MANY_ENVIRONMENTS.toLocaleString('en')} environments against one`,
    target: { most: 1.1 },
    measure: start,
  },
]

function row(
  name: string,
  what: string,
  least: number,
  traffic: Traffic,
  prepare?: (site: Site) => Promise<void>,
): Row {
  return {
    name,
    work: `${what} over ${ENVIRONMENTS} environments against one`,
    target: { least },
    measure: async (bench) => {
      const site = await siteWith(bench, ENVIRONMENTS)
      await prepare?.(site)
      const { server, database } = site
      const side = { port: server.port, pid: server.pid, database }
      const many = { ...side, traffic: over(traffic, ENVIRONMENTS) }
      const comparison = await compare(bench, many, { ...side, traffic }, { timed: true })
      return { value: comparison.ratio, comparison }
    },
  }
}

const over = (traffic: Traffic, environments: number): Traffic => ({ ...traffic, environments, users: USERS_EACH })

/** Content of the first environment, and copies of it in all others. */
async function publishInAll(site: Site): Promise<void> {
  await publishTours(site, whoOf)
  await withDatabase(site.database, async (database) => {
    for (const table of ['content', 'content_versions', 'guidance']) {
      await database.query(
        `insert into ${table}
         select copied.* from ${table} as published, environments,
                lateral jsonb_populate_record(published, jsonb_build_object('environment_id', environments.id)) as copied
          where published.environment_id = $1::int and environments.id <> $1::int`,
        [ENVIRONMENT],
      )
    }
    await database.query('vacuum (analyze)', [])
  })
  for (let number = 0; number < ENVIRONMENTS; number += 1) await decideOnce(site, environmentKey(number))
}

/** Content is compiled when it is first asked for, which is not what is compared. */
async function decideOnce({ server }: Site, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ user_id: userId(0) })
  const response = await fetch(`${server.address}/decisions`, { method: 'POST', headers, body })
  if (response.status !== 200) throw new Error(`/decisions answered ${response.status}: ${await response.text()}`)
}

async function siteWith(bench: Bench, environments: number): Promise<Site> {
  return await bench.siteOn(await databaseWith(bench, environments))
}

async function databaseWith(bench: Bench, environments: number): Promise<string> {
  const database = await bench.postgres.createDatabase(await bench.template())
  bench.atEnd(() => bench.postgres.dropDatabase(database))
  bench.progress(`making ${environments} environments`)
  await seedEnvironments(database, environments, USERS_EACH)
  return database
}

/** Both servers get as many events: one of each environment, or all of the same. */
async function memory(bench: Bench): Promise<Measured> {
  if (!HAS_PROC) return notMeasured('needs /proc')
  const after = async (environments: number) => {
    const { server } = await bench.siteOn(database)
    bench.progress(`an event of each of ${environments} environments`)
    await postEvents(server.address, MANY_ENVIRONMENTS, environments)
    return residentMegabytes(server.pid)
  }
  const database = await databaseWith(bench, MANY_ENVIRONMENTS)
  const [one, many] = [await after(1), await after(MANY_ENVIRONMENTS)]
  const events = MANY_ENVIRONMENTS.toLocaleString('en')
  return {
    value: many - one,
    note: `${Math.round(many)} MB after ${events} events, each of another environment, ${Math.round(one)} MB after ${events} of one`,
  }
}

async function postEvents(address: string, count: number, environments: number): Promise<void> {
  let next = 0
  const body = (EVENT.body as string).replace('{n}', userId(0).slice('user_'.length)).replace('{r}', '100')
  const post = async () => {
    while (next < count) {
      const key = environmentKey(next++ % environments)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${address}/events`, { method: 'POST', headers, body })
      if (response.status !== 200) throw new Error(`POST /events answered ${response.status}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, post))
}

async function start(bench: Bench): Promise<Measured> {
  const many = await databaseWith(bench, MANY_ENVIRONMENTS)
  const one = await bench.postgres.createDatabase(await bench.template())
  bench.atEnd(() => bench.postgres.dropDatabase(one))
  const { ours, yardstick } = await compareStarts(bench, many, one)
  return { value: ours / yardstick, note: `${ours.toFixed(2)} s against ${yardstick.toFixed(2)} s` }
}
