import { createFirstAccount } from '../server/accounts/bootstrap.ts'
import { hashKey } from '../server/accounts/keys.ts'
import { Database, type EnvironmentId, type OpenTransaction } from '../server/database/database.ts'
import { migrate } from '../server/database/migrate.ts'
import { ofOne } from '../server/database/parts.ts'
import { membershipId } from '../server/ids.ts'
import { storeMemberships } from '../server/memberships/queries.ts'
import { insertObjects, type StoredObject } from '../server/objects/store-queries.ts'
import { groups, type ObjectTable, users } from '../server/objects/tables.ts'
import { environmentKey, GROUPS, groupId, KEY, userId } from './traffic.ts'

/** Fills databases with the server's own statements, so that the sort keys are right. */

const ROWS_PER_STATEMENT = 5_000
const FIRST_MS = Date.parse('2026-01-01T00:00:00Z')
const PLANS = ['starter', 'growth', 'scale']

/** The first environment of a new database. */
export const ENVIRONMENT = 1 as EnvironmentId

/**
 * A migrated database with an account, and as many users and groups as wanted; each user is in three groups. Users have the
 * numbers 0, `step`, 2 × `step` and so on.
 */
export async function seed(url: string, userCount: number, groupCount: number, step = 1): Promise<void> {
  await migrate({ connectionString: url })
  await withDatabase(url, async (database) => {
    await createFirstAccount(database, KEY)
    await insertNumbered(database, users, userCount, userId, userAttributes, step)
    await insertNumbered(database, groups, groupCount, groupId, groupAttributes, 1)
    if (groupCount > 0) await insertLinks(database, userCount, step)
    await database.query('vacuum (analyze)', [])
  })
}

function userAttributes(number: number) {
  return {
    name: `Person ${(number * 7_919) % 1_000_003}`,
    email: `person${number}@example.com`,
    plan: PLANS[number % PLANS.length] as string,
    seats: number % 100,
    signed_up_at: new Date(FIRST_MS - ((number * 6_151) % 1_000_003) * 60_000).toISOString(),
    last_seen_at: new Date(FIRST_MS + ((number * 3_571) % 1_000_003) * 1_000).toISOString(),
  }
}

function groupAttributes(number: number) {
  return { name: `Company ${number}`, plan: PLANS[number % PLANS.length] as string, seats: number % 500 }
}

export function createdAt(number: number): string {
  return new Date(FIRST_MS + number * 10).toISOString()
}

function stored(attributes: StoredObject['attributes'], number: number): StoredObject {
  return { attributes, attributesJson: JSON.stringify(attributes), createdAt: createdAt(number) }
}

async function insertNumbered(
  database: Database,
  table: ObjectTable,
  count: number,
  id: (number: number) => string,
  attributes: typeof userAttributes | typeof groupAttributes,
  step: number,
): Promise<void> {
  await inChunks(database, count, step, (transaction, numbers) =>
    insertObjects(
      transaction,
      table,
      ofOne(
        ENVIRONMENT,
        numbers.map((number) => [id(number), stored(attributes(number), number)]),
      ),
    ),
  )
}

async function insertLinks(database: Database, userCount: number, step: number): Promise<void> {
  await inChunks(database, userCount, step, (transaction, numbers) =>
    storeMemberships(transaction, ofOne(ENVIRONMENT, numbers.flatMap(linksOf))),
  )
}

function linksOf(number: number) {
  return [0, 333, 666].map((distance) => {
    const group = (number + distance) % GROUPS
    const pair = { userId: userId(number), groupId: groupId(group) }
    return {
      ...pair,
      id: membershipId(ENVIRONMENT, pair.userId, pair.groupId),
      attributesJson: '{"role":"member"}',
      createdAt: createdAt(number),
      userCreatedAt: createdAt(number),
      groupCreatedAt: createdAt(group),
    }
  })
}

/** So many accounts with an environment and a key each, and users that are copies of those of the first environment. */
export async function seedEnvironments(url: string, count: number, usersEach: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, number) => environmentKey(number))
  await withDatabase(url, async (database) => {
    await database.query(INSERT_ENVIRONMENTS, [keys, keys.map(hashKey)])
    await database.query(COPY_USERS, [ENVIRONMENT, usersEach])
    await database.query('vacuum (analyze)', [])
  })
}

const INSERT_ENVIRONMENTS = `
  with made_accounts as (
    insert into accounts (name, plan, created_at)
    select key, 'self_hosted', now() from unnest($1::text[]) as key
    returning id, name),
  made_environments as (
    insert into environments (account_id, name, slug, created_at)
    select id, name, 'production', now() from made_accounts
    returning id, name)
  insert into api_keys (environment_id, hash, prefix, last_four, name, created_at)
  select made.id, given.hash, '', '', '', now()
    from unnest($1::text[], $2::bytea[]) as given (key, hash)
    join made_environments as made on made.name = given.key`

const COPY_USERS = `
  insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key, email_key)
  select environments.id, first.id, first.attributes, first.created_at, name_key, signed_up_at_key, last_seen_at_key, email_key
    from environments
   cross join (select * from users where environment_id = $1::int order by created_at limit $2::int) as first
   where environments.name like 'ak_environment_%'`

type Insert = (transaction: OpenTransaction, numbers: number[]) => Promise<unknown>

async function inChunks(database: Database, count: number, step: number, insert: Insert): Promise<void> {
  for (let first = 0; first < count; first += ROWS_PER_STATEMENT) {
    const size = Math.min(ROWS_PER_STATEMENT, count - first)
    const numbers = Array.from({ length: size }, (_, index) => (first + index) * step)
    const transaction = await database.begin()
    try {
      await insert(transaction, numbers)
      await transaction.commit()
    } catch (error) {
      await transaction.abandon(error)
      throw error
    }
  }
}

/** Events of the seeded users over the past, with ids that grow with their time, as the server makes them. */
export async function seedEvents(url: string, count: number, userCount: number): Promise<void> {
  const chunk = 500_000
  await withDatabase(url, async (database) => {
    for (let first = 0; first < count; first += chunk) {
      await database.query(INSERT_EVENTS, [first, Math.min(first + chunk, count) - 1, ENVIRONMENT, userCount])
    }
    await database.query('vacuum (analyze) events', [])
  })
}

/** Takes the first and the last number, the environment, and the number of users. */
export const INSERT_EVENTS = `
  insert into events (environment_id, id, name, user_id, attributes, time, created_at)
  select $3::int,
         (lpad(to_hex(1735689600000 + n), 12, '0') || '7000' || '8' || substr(md5(n::text), 1, 15))::uuid,
         'project_created',
         'user_' || lpad(((n * 7919) % $4::bigint)::text, 8, '0'),
         jsonb_build_object('plan', 'growth', 'seats', n % 1000, 'billed', true),
         to_timestamp((1735689600000 + n) / 1000.0),
         to_timestamp((1735689600000 + n) / 1000.0)
    from generate_series($1::bigint, $2::bigint) as n`

export async function withDatabase<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(url)
  return await work(database).finally(() => database.close())
}

export function openDatabase(url: string): Database {
  const limits = { connections: 1, statementTimeoutMs: 600_000, lockTimeoutMs: 10_000 }
  return new Database({ connection: { connectionString: url }, ...limits })
}
