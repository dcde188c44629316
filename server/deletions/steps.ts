import type { EnvironmentId } from '../database/database.ts'
import { LEAST_ID } from '../ids.ts'
import type { DeletedObject, Owner } from './pending.ts'

/** Where a step of a deletion ended: the columns of the last removed row by which the steps are ordered. */
export type LastRemovedKey = readonly string[]

/** Which rows a step of a deletion removes: the first ones that these users or groups had. */
export interface RemovedPart {
  owner: Owner
  objects: readonly DeletedObject[]
  boundary: string
  most: number
  /** Only with a single object. The step starts after this row. */
  after?: LastRemovedKey | undefined
}

export interface Removal {
  /** Rows may be left: there were as many as the step may remove, or somebody else has locked some. */
  isLeft: boolean
  /** Where the next step starts. */
  last: LastRemovedKey | undefined
}

/**
 * The ids of the first events or notifications of the users or groups in `$2`, up to the boundary `$3`, at most `$4`, after
 * the id `$5`. `columns` are those of the table that are asked for.
 *
 * The owner is compared together with the id, and never by itself. So only the index of the owner has the order, whatever
 * PostgreSQL knows of the table. With `owner = …` the primary key has it too, and would be read through for an owner that
 * has no rows.
 */
export function firstRowsOf(table: 'events' | 'webhook_notifications', owner: Owner, columns: string): string {
  const key = `(${owner}_id, id)`
  // With bounds on the id PostgreSQL reads only the partitions of these days.
  const inPartitions = table === 'events' ? '' : 'and id > $5::uuid and id <= $3::uuid'
  return `
    select found.* from unnest($2::text[]) as deleted (owner_id)
     cross join lateral (
       select ${columns} from ${table}
        where environment_id = $1::int and ${owner}_id is not null ${inPartitions}
          and ${key} > (deleted.owner_id, $5::uuid) and ${key} <= (deleted.owner_id, $3::uuid)
        order by ${owner}_id, id
        limit $4::int) as found
     limit $4::int`
}

/** The values of `firstRowsOf`. */
export function firstRowsValues(
  environmentId: EnvironmentId,
  { objects, boundary, most, after: [afterId = LEAST_ID] = [] }: RemovedPart,
): unknown[] {
  return [environmentId, objects.map(({ id }) => id), boundary, most, afterId]
}
