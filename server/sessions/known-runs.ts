import { GatheredReads } from '../batches/gathered-reads.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'
import { isOfContent } from '../deletions/deleted-content.ts'
import { isNotDeletedBy } from '../deletions/pending.ts'
import { isUuid } from '../ids.ts'
import { WeightedCache } from '../weighted-cache.ts'

/** Whose a claim or a session is. It never changes. */
export interface KnownRun {
  readonly userId: string
  readonly versionId: string
}

/** A user id has up to 255 letters, so not only their number is bounded: 50,000 with usual ids fit in. */
const MOST_WEIGHT = 16 * 1024 * 1024
const weightOf = ({ userId, versionId }: KnownRun) => 2 * (userId.length + versionId.length) + 192

/** Finds the user and the version of a session by its id, so that its job can lock the user. */
export class KnownRuns {
  readonly #reads: GatheredReads<string, KnownRun | undefined>
  readonly #known = new WeightedCache<string, KnownRun>(MOST_WEIGHT, weightOf)

  constructor(database: Database) {
    this.#reads = new GatheredReads(database, findRuns)
  }

  remember(environmentId: EnvironmentId, id: string, { userId, versionId }: KnownRun): void {
    this.#known.set(`${environmentId} ${id}`, { userId, versionId })
  }

  /** What is remembered may be deleted since: the job finds that out. */
  async find(environmentId: EnvironmentId, id: string): Promise<KnownRun | undefined> {
    const known = this.#known.get(`${environmentId} ${id}`)
    if (known || !isUuid(id)) return known
    const found = await this.#reads.find(environmentId, id)
    if (found) this.remember(environmentId, id, found)
    return found
  }
}

const runOf = (table: string, environmentId: string, environmentIs: string) => `
  select stored.user_id as "userId", stored.version_id as "versionId" from ${table} as stored
   where stored.environment_id = ${environmentId} and stored.id = wanted.id
     and ${isNotDeletedBy('stored', 'user', environmentIs)} and ${isOfContent('stored', environmentIs)}`

const find = (environmentId: string, environmentIs: string) => `
  cross join lateral (
    ${runOf('content_claims', environmentId, environmentIs)} union all
    ${runOf('content_sessions', environmentId, environmentIs)} limit 1) as found`

const FIND: Forms = {
  one: `
    select number::int, found.* from unnest($2::uuid[]) with ordinality as wanted (id, number)
    ${find('$1::int', '= $1::int')}`,
  many: `
    select number::int, found.* from unnest($1::int[], $2::uuid[]) with ordinality as wanted (environment_id, id, number)
    ${find('wanted.environment_id', '= any($1::int[])')}`,
}

async function findRuns(db: Database, ids: readonly Part<string>[]): Promise<(KnownRun | undefined)[][]> {
  const rows = await queryParts<KnownRun & { number: number }>(db, FIND, ids, [itemsOf(ids)])
  const found = new Map(rows.map(({ number, ...run }) => [number, run]))
  let number = 0
  return ids.map(({ items }) =>
    items.map(() => {
      number += 1
      return found.get(number)
    }),
  )
}
