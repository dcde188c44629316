import type { EnvironmentId, Queryable } from './queryable.ts'

/** The environments whose anchor is known to be stored (see `insertForms`). It is never removed while they exist. */
export class Anchors {
  readonly #stored = new Set<EnvironmentId>()

  async ensure(db: Queryable, environmentId: EnvironmentId): Promise<void> {
    if (this.#stored.has(environmentId)) return
    await insertAnchor(db, environmentId)
    this.#stored.add(environmentId)
  }
}

async function insertAnchor(db: Queryable, environmentId: EnvironmentId): Promise<void> {
  await db.query('insert into environment_anchors (environment_id) values ($1::int) on conflict do nothing', [
    environmentId,
  ])
}
