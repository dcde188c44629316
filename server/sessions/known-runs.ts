import type { Database, EnvironmentId } from '../database/database.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { isOfContent } from '../history/deleted-content.ts'
import { isUuid } from '../ids.ts'

/** Whose a claim or a session is. It never changes. */
export interface KnownRun {
  readonly userId: string
  readonly versionId: string
}

const MOST_CACHED = 50_000

/** Finds the user and the version of a session by its id, so that its job can lock the user. */
export class KnownRuns {
  readonly #database: Database
  readonly #known = new Map<string, KnownRun>()

  constructor(database: Database) {
    this.#database = database
  }

  remember(environmentId: EnvironmentId, id: string, { userId, versionId }: KnownRun): void {
    if (this.#known.size >= MOST_CACHED) this.#known.clear()
    this.#known.set(`${environmentId} ${id}`, { userId, versionId })
  }

  /** What is remembered may be deleted since: the job finds that out. */
  async find(environmentId: EnvironmentId, id: string): Promise<KnownRun | undefined> {
    const known = this.#known.get(`${environmentId} ${id}`)
    if (known || !isUuid(id)) return known
    const found = await findRun(this.#database, environmentId, id)
    if (found) this.remember(environmentId, id, found)
    return found
  }
}

async function findRun(db: Database, environmentId: EnvironmentId, id: string): Promise<KnownRun | undefined> {
  const columns = (table: string) => `
    select stored.user_id as "userId", stored.version_id as "versionId" from ${table} as stored
     where stored.environment_id = $1::int and stored.id = $2::uuid and ${isNotDeletedBy('stored', 'user')}
       and ${isOfContent('stored')}`
  const [row] = await db.query<KnownRun & Record<string, unknown>>(
    `${columns('content_claims')} union all ${columns('content_sessions')} limit 1`,
    [environmentId, id],
  )
  return row
}
