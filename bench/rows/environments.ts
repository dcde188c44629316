import type { Bench, Site } from '../bench.ts'
import { CONNECTIONS, compare } from '../compare.ts'
import { HAS_PROC, residentMegabytes } from '../proc.ts'
import { seedEnvironments } from '../seed.ts'
import type { Traffic } from '../traffic.ts'
import { EVENT, EXISTING_USER, GET_USER } from './requests.ts'
import { type Measured, notMeasured, type Row } from './row.ts'
import { compareStarts } from './start.ts'

/** Many environments on one server, compared with one environment of as many users. */

const ENVIRONMENTS = 300
const USERS_EACH = 30
const MANY_ENVIRONMENTS = 10_000
/** A request of each of the environments, several times over, on average. */
const MEMORY_SECONDS = 10

export const environmentRows: Row[] = [
  row('environments-events', 'POST /events', 0.6, EVENT),
  row('environments-users', 'POST /users, existing user', 0.5, EXISTING_USER),
  row('environments-get-user', 'GET /users/:id', 0.5, GET_USER),
  {
    name: 'environments-memory',
    work: `memory that events of ${MANY_ENVIRONMENTS.toLocaleString('en')} environments add to that of one`,
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

function row(name: string, what: string, least: number, traffic: Traffic): Row {
  return {
    name,
    work: `${what} over ${ENVIRONMENTS} environments against one`,
    target: { least },
    measure: async (bench) => {
      const { server, database } = await siteWith(bench, ENVIRONMENTS)
      const side = { port: server.port, pid: server.pid, database }
      const many = { ...side, traffic: over(traffic, ENVIRONMENTS) }
      const comparison = await compare(bench, many, { ...side, traffic }, { timed: true })
      return { value: comparison.ratio, comparison }
    },
  }
}

const over = (traffic: Traffic, environments: number): Traffic => ({ ...traffic, environments, users: USERS_EACH })

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

/** Both servers do the same number of seconds of the same load; the difference is what the environments cost. */
async function memory(bench: Bench): Promise<Measured> {
  if (!HAS_PROC) return notMeasured('needs /proc')
  const after = async (traffic: Traffic) => {
    const { server } = await bench.siteOn(database)
    const load = { port: server.port, connections: CONNECTIONS, seconds: MEMORY_SECONDS, traffic }
    const { requests, failure } = await bench.load.ask(load)
    if (failure !== undefined) throw new Error(failure)
    return { requests, megabytes: residentMegabytes(server.pid) }
  }
  const database = await databaseWith(bench, MANY_ENVIRONMENTS)
  const one = await after(EVENT)
  const many = await after(over(EVENT, MANY_ENVIRONMENTS))
  return {
    value: many.megabytes - one.megabytes,
    note: `${Math.round(many.megabytes)} MB after ${many.requests} events of all, ${Math.round(one.megabytes)} MB after ${one.requests} of one`,
  }
}

async function start(bench: Bench): Promise<Measured> {
  const many = await databaseWith(bench, MANY_ENVIRONMENTS)
  const one = await bench.postgres.createDatabase(await bench.template())
  bench.atEnd(() => bench.postgres.dropDatabase(one))
  const { ours, yardstick } = await compareStarts(bench, many, one)
  return { value: ours / yardstick, note: `${ours.toFixed(2)} s against ${yardstick.toFixed(2)} s` }
}
