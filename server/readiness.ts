import type { Queryable } from './database/database.ts'
import { readMigrations } from './database/migration-files.ts'

export interface Readiness {
  ready: boolean
  /** What each check found: `ok`, or what is wrong. */
  checks: Record<'database' | 'migrations' | 'queue' | 'process', string>
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
const UNREACHABLE = 'the database does not answer'

/** Whether this node should get requests. The database is queried at most once a second. */
export class ReadinessCheck {
  readonly #sources: ReadinessSources
  /** Read once: a check must not wait for the disk. */
  readonly #neededVersion = latestMigration()
  #database: Promise<Pick<Readiness['checks'], 'database' | 'migrations'>> | undefined
  #checkedAt = 0
  #stopping = false

  constructor(sources: ReadinessSources) {
    this.#sources = sources
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
      this.#database = within(DATABASE_MS, checkDatabase(this.#sources.database, this.#neededVersion))
    }
    const { commits, concurrency } = this.#sources
    const waiting = commits.depth + concurrency.waiting
    const checks = {
      ...(await this.#database),
      queue: waiting < LONG_QUEUE ? 'ok' : `${waiting} requests are waiting`,
      process: this.#stopping ? 'stopping' : 'ok',
    }
    return { ready: Object.values(checks).every((found) => found === 'ok'), checks }
  }
}

async function latestMigration(): Promise<number> {
  return (await readMigrations()).at(-1)?.version ?? 0
}

async function checkDatabase(database: Queryable, neededVersion: Promise<number>) {
  try {
    const [row] = await database.query<{ version: number }>('select max(version) as version from schema_migrations', [])
    const [applied, needed] = [row?.version ?? 0, await neededVersion]
    return { database: 'ok', migrations: applied >= needed ? 'ok' : `at version ${applied}, ${needed} is needed` }
  } catch {
    return { database: UNREACHABLE, migrations: 'not known' }
  }
}

async function within<T extends { database: string; migrations: string }>(ms: number, answer: Promise<T>) {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<{ database: string; migrations: string }>((resolve) => {
    timer = setTimeout(resolve, ms, { database: UNREACHABLE, migrations: 'not known' })
  })
  return await Promise.race([answer, late]).finally(() => clearTimeout(timer))
}
