import type { EnvironmentId, Transaction } from '../database/database.ts'

const REASON = 'was refused; why is not kept, since a user or a group was deleted before the import was resumed'

/**
 * The lines that the last chunk of an unfinished import has refused may be of the deleted user or group. Their numbers stay:
 * the import that is resumed reports them. Hardly any environment has an unfinished import.
 */
export async function emptyRefusedLines(db: Transaction, environmentId: EnvironmentId): Promise<void> {
  await db.query(
    `update imports
        set rejected = (select json_agg(json_build_object('line', line -> 'line', 'reason', $2::text, 'input', null))
                          from json_array_elements(rejected::json) as line)::text
      where environment_id = $1::int and rejected <> '[]'`,
    [environmentId, REASON],
  )
}
