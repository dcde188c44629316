import type { EnvironmentId, Queryable } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import { findWriters } from '../definitions/named-queries.ts'
import type { Scope } from '../definitions/new-definitions.ts'

const KEPT_MS = 5_000
const MOST_NAMES = 100_000

interface Known {
  isOfBackEnd: boolean
  until: number
}

/**
 * Which names the back end writes, remembered for some seconds. With it a page that sends such a name with every view causes no
 * write. The write itself asks the database (writes/page-rules.ts).
 */
export class Writers {
  readonly #database: Queryable
  #known = new Map<string, Known>()

  constructor(database: Queryable) {
    this.#database = database
  }

  /** Those of the names that the back end writes. */
  async ofBackEnd(environmentId: EnvironmentId, scope: Scope, names: readonly string[]): Promise<ReadonlySet<string>> {
    const now = performance.now()
    const keyOf = (name: string) => `${environmentId} ${scope} ${name}`
    const unknown = names.filter((name) => !((this.#known.get(keyOf(name))?.until ?? 0) > now))
    if (unknown.length > 0) {
      const wanted = unknown.map((name) => ({ scope, name }))
      const [rows = []] = await findWriters(this.#database, ofOne(environmentId, wanted))
      const claimed = new Set(rows.filter(({ written_by }) => written_by === 'back_end').map(({ name }) => name))
      if (this.#known.size > MOST_NAMES) this.#known = new Map()
      for (const name of unknown) this.#known.set(keyOf(name), { isOfBackEnd: claimed.has(name), until: now + KEPT_MS })
    }
    return new Set(names.filter((name) => this.#known.get(keyOf(name))?.isOfBackEnd))
  }
}
