import type { EnvironmentId, Queryable } from '../database/database.ts'
import { isNotDeleted, liveMemberships } from '../deletions/pending.ts'

/** How many rows are looked at, from the newest on. Memberships are in no index by their time: any of them are. */
const LOOKED_AT = 500
const SHOWN = 8
/** A longer value is no example that helps. */
const LONGEST = 60

interface Asked {
  of: 'user' | 'group' | 'membership' | 'event'
  name: string
  event?: string
}

const recent: Record<Asked['of'], string> = {
  user: 'select attributes from users where environment_id = $1::int and $3::text is null order by created_at desc',
  group: 'select attributes from groups where environment_id = $1::int and $3::text is null order by created_at desc',
  membership: `select attributes from ${liveMemberships()} as membership where environment_id = $1::int and $3::text is null`,
  event: `select attributes from events where environment_id = $1::int and name = $3::text and ${isNotDeleted('events')}
           order by time desc`,
}

/** The most frequent values of an attribute among the newest objects. */
export async function recentValues(
  db: Queryable,
  environmentId: EnvironmentId,
  { of, name, event }: Asked,
): Promise<string[]> {
  const rows = await db.query<{ value: string }>(
    `select value from (
       select (attributes::jsonb) ->> $2::text as value from (${recent[of]} limit ${LOOKED_AT}) as newest) as found
      where value is not null and length(value) between 1 and ${LONGEST}
      group by value order by count(*) desc, value limit ${SHOWN}`,
    [environmentId, name, of === 'event' ? (event ?? '') : null],
  )
  return rows.map(({ value }) => value)
}
