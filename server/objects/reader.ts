import { Batcher } from '../batcher.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { findObjects, type ObjectRow } from './queries.ts'
import type { ObjectTable } from './tables.ts'

const MOST_IDS = 500

/**
 * Reads objects by id; ids that are asked for together become one statement. Measured: 0.94 of a bare Fastify GET
 * gathered, 0.32 with one query each. A read never sees a state from before it was asked for: while a statement is
 * under way, it waits for the next.
 */
export class ObjectReader {
  readonly #database: Database
  readonly #batchers = new Map<string, Batcher<string, ObjectRow | undefined>>()

  constructor(database: Database) {
    this.#database = database
  }

  async find(environmentId: EnvironmentId, table: ObjectTable, id: string): Promise<ObjectRow | undefined> {
    const key = `${environmentId} ${table.name}`
    const batcher = this.#batchers.get(key) ?? this.#create(environmentId, table)
    this.#batchers.set(key, batcher)
    return await batcher.add(id)
  }

  #create(environmentId: EnvironmentId, table: ObjectTable): Batcher<string, ObjectRow | undefined> {
    return new Batcher(
      async (batch) => {
        const ids = new Set(batch.map(({ item }) => item))
        const rows = await findObjects(this.#database, environmentId, table, [...ids])
        const found = new Map(rows.map((row) => [row.id, row]))
        for (const { item, resolve } of batch) resolve(found.get(item))
      },
      (waiting) => Math.min(waiting.length, MOST_IDS),
    )
  }
}
