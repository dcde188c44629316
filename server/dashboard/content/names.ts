import type { EnvironmentId, Queryable } from '../../database/database.ts'
import { queryParts } from '../../database/forms.ts'
import { findForms } from '../../database/key-forms.ts'
import { ofOne } from '../../database/parts.ts'

const NAME = "case when jsonb_typeof(attributes -> 'name') = 'string' then attributes ->> 'name' end as name"
const FIND = findForms('users', { id: 'text' }, `id, ${NAME}`)

/** The names of users by their ids, of those that have one. Their other attributes, which can be large, are not read. */
export async function namesOf(
  db: Queryable,
  id: EnvironmentId,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...new Set(ids)]
  const found =
    wanted.length > 0
      ? await queryParts<{ id: string; name: string | null }>(db, FIND, ofOne(id, wanted), [wanted])
      : []
  return new Map(found.flatMap((row) => (row.name === null ? [] : [[row.id, row.name] as const])))
}
