import { advisoryLocks } from '../database/advisory-locks.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { sqlState } from '../database/errors.ts'
import type { Session } from '../database/session.ts'
import { errors } from '../errors.ts'
import { type CountRequest, countStatement } from './count-sql.ts'
import { inScanTurn } from './scan-turns.ts'

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
 * again, and the counts of one environment would take the cores of the others. `work_mem` lets PostgreSQL hash the events of
 * a million users instead of looking each of them up.
 */
const PLANNED_WITH = { jit: 'off', max_parallel_workers_per_gather: '0', work_mem: '32MB' }

export const COUNT_SETTINGS = { client_connection_check_interval: '100', ...PLANNED_WITH }

interface Environment {
  waiting: number
  last: Promise<unknown>
}

/**
 * Counts the members of conditions. A count may read every user and all their events, so one at a time runs in an environment, on
 * all nodes together (an advisory lock), each on a connection of its own: it takes none from the pool, and PostgreSQL ends it
 * when the connection is closed because the client has gone away. A few run on a node: an account may have a hundred environments.
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
    const turn = environment.last.then(() => inScanTurn(this, environmentId, () => this.#run(request, signal)))
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
      return await this.#countOn(client, request)
    } finally {
      signal.removeEventListener('abort', close)
      await client.end().catch(() => {})
    }
  }

  async #countOn(client: Session, request: CountRequest): Promise<CountAnswer> {
    for (const oneIn of [1, ...SAMPLES]) {
      const row = await this.#tryCount(client, request, oneIn)
      if (row) return answerOf(row, oneIn)
    }
    throw errors.overloaded()
  }

  /** Undefined when it takes too long. */
  async #tryCount(client: Session, request: CountRequest, oneIn: number): Promise<Record<string, number> | undefined> {
    const { text, values } = countStatement(request, oneIn)
    try {
      await beginCount(client, this.#database.isDistributed, oneIn === 1 ? this.#exactMs : SAMPLE_MS)
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
}

/**
 * Begins the transaction of a count. The settings of a session do not reach the workers of a cluster; those of a transaction
 * do, each sent alone (decision 111). With the default of `jit` a worker took 43 s for a count of ten event leaves over 2,000
 * users, nearly all of it to compile the plan, and 0.7 s without it.
 */
export async function beginCount(client: Session, isDistributed: boolean, limitMs: number): Promise<void> {
  await client.query('begin read only')
  const settings = { ...(isDistributed && PLANNED_WITH), statement_timeout: limitMs }
  for (const [name, value] of Object.entries(settings)) await client.query(`set local ${name} = '${value}'`)
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
