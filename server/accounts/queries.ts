import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'

export interface GrantRow {
  hash: Buffer
  key_id: number
  environment_id: EnvironmentId
  account_id: number
  plan: string
  is_revoked: boolean
}

/**
 * Finds revoked keys too: a request with one is refused, and shown in the environment of the key. So is one that was made at the
 * moment at which its environment was deleted.
 */
export async function findGrants(db: Queryable, hashes: readonly Buffer[]): Promise<GrantRow[]> {
  return await db.query<GrantRow>(
    `select api_keys.hash, api_keys.id as key_id, environments.id as environment_id, accounts.id as account_id, accounts.plan,
            (api_keys.revoked_at is not null or deleted_at is not null) as is_revoked
       from api_keys
       join environments on environments.id = api_keys.environment_id
       join accounts on accounts.id = environments.account_id
      where api_keys.hash = any($1::bytea[])`,
    [hashes],
  )
}

export async function findRevision(db: Queryable): Promise<number> {
  const [row] = await db.query<{ revision: number }>('select revision from control_revision', [])
  return row?.revision ?? 0
}

export interface AccountRow {
  id: number
  name: string
  plan: string
  created_at: string
}

export async function listAccounts(db: Queryable): Promise<AccountRow[]> {
  return await db.query<AccountRow>('select id, name, plan, created_at from accounts order by id', [])
}

export async function findFirstAccount(db: Queryable): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>('select id, name, plan, created_at from accounts order by id limit 1', [])
  return row
}

export async function insertAccount(
  db: Queryable,
  name: string,
  plan: string,
  at: string,
): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(
    `insert into accounts (name, plan, created_at) values ($1::text, $2::text, $3::timestamptz)
     on conflict do nothing
     returning id, name, plan, created_at`,
    [name, plan, at],
  )
  return row
}

/** Then what is about all of them is not shown to one of them. */
export async function hasSeveralAccounts(db: Queryable): Promise<boolean> {
  return (await db.query('select from accounts limit 2', [])).length > 1
}

/**
 * Serialises changes that depend on how many owners, invitations or environments the account has. Taken before the locks of
 * members. A row that refers to the account does not wait for it: what inserts one can hold the lock of a member already.
 */
export async function lockAccount(db: Transaction, accountId: number): Promise<void> {
  await db.query('select from accounts where id = $1::int for no key update', [accountId])
}

/** Returns the updated account, or undefined when there is none of that name. */
export async function updatePlan(db: Queryable, name: string, plan: string): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(
    'update accounts set plan = $2::text where name = $1::text returning id, name, plan, created_at',
    [name, plan],
  )
  return row
}

export async function findIdleHours(db: Queryable, id: number): Promise<number | null> {
  const [row] = await db.query<{ idle_hours: number | null }>('select idle_hours from accounts where id = $1::int', [
    id,
  ])
  return row?.idle_hours ?? null
}

export async function updateIdleHours(db: Queryable, id: number, idleHours: number | null): Promise<void> {
  await db.query('update accounts set idle_hours = $2::int where id = $1::int', [id, idleHours])
}

/** Every node empties its caches of accounts, environments and keys. */
export async function raiseRevision(db: Queryable): Promise<void> {
  await db.query('update control_revision set revision = revision + 1', [])
}
