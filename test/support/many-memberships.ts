import type { Database, EnvironmentId } from '../../server/database/database.ts'

/** Makes this many users, `m1` and so on, members of an existing group. */
export async function insertManyMembers(
  database: Database,
  environmentId: EnvironmentId,
  groupId: string,
  count: number,
): Promise<void> {
  await withoutTimeout(database, async (query) => {
    await query(
      `insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
       select $1, 'm' || n, '{}', now() - interval '1 day', '', '', '' from generate_series(1, $2::int) as n
       on conflict do nothing`,
      [environmentId, count],
    )
    await query(
      `insert into group_memberships
         (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
       select $1, users.id, groups.id, gen_random_uuid(), '{"role": "old"}', groups.created_at, users.created_at, groups.created_at
         from generate_series(1, $3::int) as n
         join users on users.environment_id = $1 and users.id = 'm' || n
         join groups on groups.environment_id = $1 and groups.id = $2`,
      [environmentId, groupId, count],
    )
  })
}

/** Makes an existing user a member of this many groups. */
export async function insertManyGroupsOf(
  database: Database,
  environmentId: EnvironmentId,
  userId: string,
  count: number,
): Promise<void> {
  await withoutTimeout(database, async (query) => {
    await query(
      `insert into groups (environment_id, id, attributes, created_at, name_key)
       select $1, 'g' || n, '{}', now(), '' from generate_series(1, $2::int) as n`,
      [environmentId, count],
    )
    await query(
      `insert into group_memberships
         (environment_id, user_id, group_id, id, attributes, created_at, user_created_at, group_created_at)
       select $1, users.id, groups.id, gen_random_uuid(), '{}', now(), users.created_at, groups.created_at
         from groups join users on users.environment_id = groups.environment_id and users.id = $2
        where groups.environment_id = $1 and groups.id like 'g%'`,
      [environmentId, userId],
    )
  })
}

/** The rows in the table, whether they are shown or not. */
export async function countMemberships(database: Database, groupId: string): Promise<number> {
  const { rows } = await database.pool.query(
    'select count(*)::int as count from group_memberships where group_id = $1',
    [groupId],
  )
  return rows[0].count
}

type Query = (text: string, values: unknown[]) => Promise<unknown>

async function withoutTimeout(database: Database, fill: (query: Query) => Promise<void>): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    await fill((text, values) => client.query(text, values))
  } finally {
    await client.query('reset statement_timeout')
    client.release()
  }
}
