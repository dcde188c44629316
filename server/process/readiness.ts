import type { Queryable } from '../database/database.ts'
import { readMigrations } from '../database/migration-files.ts'
import { within } from '../database/within.ts'
import { WorkerCheck } from '../database/worker-check.ts'

export interface Readiness {
  /** Whether this node should get requests. */
  ready: boolean
  /** `degraded`: it is ready, and some environments cannot be served by any node. */
  status: 'ok' | 'degraded' | 'unavailable'
  /** What each check found: `ok`, or what is wrong. */
  checks: Checks
}

type Checks = Record<'database' | 'migrations' | 'queue' | 'process', string> & {
  /** On a Citus cluster only. */
  workers?: string
}

export interface ReadinessSources {
  database: Queryable
  commits: { readonly depth: number }
  concurrency: { readonly waiting: number }
}

/** A queue of this length takes seconds: a load balancer should use another node. */
const LONG_QUEUE = 5_000
const CACHED_MS = 1_000
const DATABASE_MS = 2_000
type DatabaseChecks = Pick<Checks, 'database' | 'migrations'>
const SILENT: DatabaseChecks = { database: 'the database does not answer', migrations: 'not known' }

/** Whether this node should get requests. The database is queried at most once a second. */
export class ReadinessCheck {
  readonly #sources: ReadinessSources
  /** Read once: a check must not wait for the disk. */
  readonly #neededVersion = latestMigration()
  #database: Promise<DatabaseChecks> | undefined
  readonly #workers: WorkerCheck | undefined
  #checkedAt = 0
  #stopping = false

  constructor(sources: ReadinessSources) {
    this.#sources = sources
    if (sources.database.isDistributed) this.#workers = new WorkerCheck(sources.database)
    // The next caller gets the failure. Until then it must not count as unhandled.
    this.#neededVersion.catch(() => {})
  }

  /** Reports "not ready" from now on: a load balancer removes the node while it finishes its requests. */
  stop(): void {
    this.#stopping = true
  }

  async check(): Promise<Readiness> {
    const now = performance.now()
    if (!this.#database || now - this.#checkedAt > CACHED_MS) {
      this.#checkedAt = now
      this.#database = within(DATABASE_MS, checkDatabase(this.#sources.database, this.#neededVersion), SILENT)
    }
    const { commits, concurrency } = this.#sources
    const waiting = commits.depth + concurrency.waiting
    const [database, workers] = await Promise.all([this.#database, this.#workers?.read()])
    const own = {
      ...database,
      queue: waiting < LONG_QUEUE ? 'ok' : `${waiting} requests are waiting`,
      process: this.#stopping ? 'stopping' : 'ok',
    }
    const ready = Object.values(own).every((found) => found === 'ok')
    if (workers === undefined) return { ready, status: ready ? 'ok' : 'unavailable', checks: own }
    const status = !ready ? 'unavailable' : workers === 'ok' ? 'ok' : 'degraded'
    return { ready, status, checks: { ...own, workers } }
  }
}

async function latestMigration(): Promise<number> {
  return (await readMigrations()).at(-1)?.version ?? 0
}

async function checkDatabase(database: Queryable, neededVersion: Promise<number>): Promise<DatabaseChecks> {
  try {
    const [row] = await database.query<{ version: number }>('select max(version) as version from schema_migrations', [])
    const [applied, needed] = [row?.version ?? 0, await neededVersion]
    return { database: 'ok', migrations: applied >= needed ? 'ok' : `at version ${applied}, ${needed} is needed` }
  } catch {
    return SILENT
  }
}
