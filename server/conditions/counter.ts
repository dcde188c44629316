import { advisoryLocks } from '../database/advisory-locks.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { sqlState } from '../database/errors.ts'
import type { Session } from '../database/session.ts'
import { errors } from '../errors.ts'
import { type CountRequest, countStatement } from './count-sql.ts'

export interface CountAnswer {
  whole: number
  /** How many there are at the same moment, when it is exact. */
  total: number | undefined
  /** In the order of the leaves. A single leaf is the whole. */
  lines: number[]
  exact: boolean
  margin: number | undefined
}

const EXACT_MS = 5_000
const SAMPLE_MS = 3_000
/** When the count takes too long, one in so many is looked at, and then one in more. */
const SAMPLES = [64, 4096]
/** Counts that wait for another of their environment. */
const MOST_WAITING = 10
const QUERY_CANCELED = '57014'

/**
 * Of the connection of a count. It uses one core: with parallel workers a count of 100,000 users takes half as much CPU time
 * again, and a tenant's counts would take the cores of its neighbours. `work_mem` lets PostgreSQL hash the events of a million
 * users instead of looking each of them up.
 */
export const COUNT_SETTINGS = {
  client_connection_check_interval: '100',
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  work_mem: '32MB',
}

interface Environment {
  waiting: number
  last: Promise<unknown>
}

/**
 * Counts the members of conditions. A count may read every user and all their events, so one at a time runs in an environment, on
 * all nodes together (an advisory lock), each on a connection of its own: it takes none from the pool, and PostgreSQL ends it
 * when the connection is closed because the client has gone away.
 */
export class ConditionCounter {
  readonly #database: Database
  readonly #environments = new Map<EnvironmentId, Environment>()
  readonly #exactMs: number

  constructor(database: Database, exactMs = EXACT_MS) {
    this.#database = database
    this.#exactMs = exactMs
  }

  async count(request: CountRequest, signal: AbortSignal): Promise<CountAnswer> {
    const { environmentId } = request
    const environment = this.#environments.get(environmentId) ?? { waiting: 0, last: Promise.resolve() }
    if (environment.waiting >= MOST_WAITING) throw errors.overloaded()
    this.#environments.set(environmentId, environment)
    environment.waiting += 1
    const turn = environment.last.then(() => this.#run(request, signal))
    environment.last = turn.catch(() => {})
    try {
      return await turn
    } finally {
      environment.waiting -= 1
      if (environment.waiting === 0) this.#environments.delete(environmentId)
    }
  }

  async #run(request: CountRequest, signal: AbortSignal): Promise<CountAnswer> {
    signal.throwIfAborted()
    const client = this.#database.ownClient(COUNT_SETTINGS)
    const close = () => client.destroy('the client of the count has gone away')
    signal.addEventListener('abort', close, { once: true })
    try {
      await client.connect()
      return await countOn(client, request, this.#exactMs)
    } finally {
      signal.removeEventListener('abort', close)
      await client.end().catch(() => {})
    }
  }
}

async function countOn(client: Session, request: CountRequest, exactMs: number): Promise<CountAnswer> {
  for (const oneIn of [1, ...SAMPLES]) {
    const row = await tryCount(client, request, oneIn, oneIn === 1 ? exactMs : SAMPLE_MS)
    if (row) return answerOf(row, oneIn)
  }
  throw errors.overloaded()
}

/** Undefined when it takes too long. */
async function tryCount(
  client: Session,
  request: CountRequest,
  oneIn: number,
  limitMs: number,
): Promise<Record<string, number> | undefined> {
  const { text, values } = countStatement(request, oneIn)
  try {
    await client.query(`begin read only; set local statement_timeout = ${limitMs}`)
    await client.query('select pg_advisory_xact_lock($1::int, $2::int)', [
      advisoryLocks.environmentCount,
      request.environmentId,
    ])
    const { rows } = await client.query<Record<string, number>>(text, values)
    await client.query('commit')
    return rows[0]
  } catch (error) {
    if (sqlState(error) !== QUERY_CANCELED) throw error
    await client.query('rollback')
    return undefined
  }
}

/** The estimates of a sample. Each count of it is that of independent draws: 1.96 standard deviations are 95 of 100 cases. */
function answerOf({ whole = 0, total, ...lines }: Record<string, number>, oneIn: number): CountAnswer {
  const scaled = Object.keys(lines).map((_, index) => (lines[`line_${index}`] as number) * oneIn)
  const margin = oneIn === 1 ? undefined : Math.ceil(1.96 * Math.sqrt(Math.max(whole, 1) * oneIn * (oneIn - 1)))
  const exact = oneIn === 1
  return {
    whole: whole * oneIn,
    total: exact ? total : undefined,
    lines: scaled.length === 0 ? [whole * oneIn] : scaled,
    exact,
    margin,
  }
}
