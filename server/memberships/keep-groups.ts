import type { Transaction } from '../database/database.ts'
import { type Forms, queryParts } from '../database/forms.ts'
import { itemsOf, type Part } from '../database/parts.ts'

/** A group as it was read. Without a time, whichever has this id now. */
export interface KeptGroup {
  id: string
  createdAt: string | undefined
}

/** `$2` and `$3` are the groups, in the order of their ids. */
const kept = (wanted: string, environmentId: string) => `
  select 1 / (count(*) = cardinality($2::text[]))::int as kept
    from (select from ${wanted}
           cross join lateral (
             select from groups as stored
              where stored.environment_id = ${environmentId} and stored.id = wanted.id
                and stored.created_at = coalesce(wanted.created_at, stored.created_at)
             offset 0 for key share) as found) as locked`

const KEEP: Forms = {
  one: kept('unnest($2::text[], $3::timestamptz[]) as wanted (id, created_at)', '$1::int'),
  many: kept(
    'unnest($1::int[], $2::text[], $3::timestamptz[]) as wanted (environment_id, id, created_at)',
    'wanted.environment_id',
  ),
}

/**
 * Keeps groups from being deleted until the end of the transaction, so that no membership refers to a deleted group, and the
 * deletion of a group finds all sessions that have it.
 * Divides by zero when one was deleted since it was read, and the batch is retried: so no answer has to be awaited
 * before the commit. Foreign keys did the same with two statements for each membership.
 */
export async function keepGroups(db: Transaction, groups: readonly Part<KeptGroup>[]): Promise<void> {
  const items = itemsOf(groups)
  await queryParts(db, KEEP, groups, [items.map(({ id }) => id), items.map(({ createdAt }) => createdAt)])
}
