import type { EnvironmentId, Transaction } from '../database/database.ts'
import { timeOfId } from '../ids.ts'
import type { Owner } from './pending.ts'
import type { Removal, RemovedPart } from './steps.ts'

/** What is left of an answer about a deleted user or group. Its fingerprint is empty, and is that of no request. */
const ERASED_BODY = '{}'

/** The time of an answer is that of the database, the time of a deletion that of a node. */
const APART_MS = 60_000

/**
 * Empties the first stored answers about these users or groups. Their keys stay used, by no known request: a repeat is
 * refused, and does not bring back what was deleted. The hash of the request goes too.
 */
export async function eraseAnswersOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { owner, objects, boundary, most, after: [afterKey = ''] = [] }: RemovedPart,
): Promise<Removal> {
  const rows = await db.query<{ key: string }>(ERASE[owner], [
    environmentId,
    objects.map(({ id }) => id),
    timeOfId(boundary) + APART_MS,
    most,
    afterKey,
  ])
  const isLeft = rows.length === most
  const last = rows.map(({ key }) => key).reduce((greatest, key) => (key > greatest ? key : greatest), '')
  return { isLeft, last: isLeft && objects.length === 1 ? [last] : undefined }
}

const ERASE = { user: eraseOf('user'), group: eraseOf('group') }

/** A later answer is about an object of the same id that was created since. */
function eraseOf(owner: Owner): string {
  return `
    update idempotency_keys
       set body = '${ERASED_BODY}', fingerprint = '', user_id = null, group_id = null
     where environment_id = $1::int and key = any(array(
       select found.key from unnest($2::text[]) as deleted (id)
        cross join lateral (
          select key from idempotency_keys
           where environment_id = $1::int and ${owner}_id = deleted.id and key > $5::text
             and created_at <= to_timestamp($3::float8 / 1000)
           order by ${owner}_id, key
           limit $4::int) as found
        limit $4::int))
    returning key`
}
