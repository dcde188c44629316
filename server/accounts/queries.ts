import type { EnvironmentId, Queryable } from '../database/database.ts'
import { slugFor } from './slugs.ts'

export interface GrantRow {
  hash: Buffer
  key_id: number
  environment_id: EnvironmentId
  account_id: number
  plan: string
  is_revoked: boolean
}

/** Finds revoked keys too: a request with one is refused, and shown in the environment of the key. */

export async function findGrants(db: Queryable, hashes: readonly Buffer[]): Promise<GrantRow[]> {
  return await db.query<GrantRow>(
    `select api_keys.hash, api_keys.id as key_id, environments.id as environment_id, accounts.id as account_id, accounts.plan,
            api_keys.revoked_at is not null as is_revoked
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

/** Returns the updated account, or undefined when there is none of that name. */
export async function updatePlan(db: Queryable, name: string, plan: string): Promise<AccountRow | undefined> {
  const [row] = await db.query<AccountRow>(
    'update accounts set plan = $2::text where name = $1::text returning id, name, plan, created_at',
    [name, plan],
  )
  return row
}

export async function updateAccount(db: Queryable, id: number, plan: string, idleHours: number | null): Promise<void> {
  await db.query('update accounts set plan = $2::text, idle_hours = $3::int where id = $1::int', [id, plan, idleHours])
}

export interface EnvironmentRow {
  id: EnvironmentId
  slug: string
  name: string
  account_id: number
  account_name: string
  created_at: string
}

/** Without those that are being deleted. */
export async function listEnvironments(db: Queryable): Promise<EnvironmentRow[]> {
  return await db.query<EnvironmentRow>(
    `select environments.id, slug, environments.name, account_id, accounts.name as account_name, environments.created_at
       from environments
       join accounts on accounts.id = account_id
      where deleted_at is null
      order by environments.id`,
    [],
  )
}

/** Of an account. Slugs stay taken while the environment is being deleted. */
async function listSlugs(db: Queryable, accountId: number): Promise<string[]> {
  const rows = await db.query<{ slug: string }>('select slug from environments where account_id = $1::int', [accountId])
  return rows.map(({ slug }) => slug)
}

/** Returns undefined when the name is taken. */
export async function insertEnvironment(
  db: Queryable,
  accountId: number,
  name: string,
  at: string,
): Promise<EnvironmentId | undefined> {
  const [row] = await db.query<{ id: EnvironmentId }>(
    `insert into environments (account_id, name, slug, created_at)
     values ($1::int, $2::text, $4::text, $3::timestamptz)
     on conflict do nothing
     returning id`,
    [accountId, name, at, slugFor(name, await listSlugs(db, accountId))],
  )
  return row?.id
}

export interface KeyRow {
  id: number
  name: string
  prefix: string
  last_four: string
  account_id: number
  account_name: string
  environment_name: string
  environment_slug: string
  created_at: string
  last_used_at: string | null
  revoked_at: string | null
}

export async function listKeys(db: Queryable): Promise<KeyRow[]> {
  return await db.query<KeyRow>(
    `select api_keys.id, api_keys.name, prefix, last_four, account_id, accounts.name as account_name,
            environments.name as environment_name, slug as environment_slug, api_keys.created_at, last_used_at, revoked_at
       from api_keys
       join environments on environments.id = environment_id
       join accounts on accounts.id = account_id
      where deleted_at is null
      order by api_keys.id`,
    [],
  )
}

export async function insertKey(
  db: Queryable,
  environmentId: EnvironmentId,
  key: { hash: Buffer; prefix: string; lastFour: string; name?: string; createdBy?: string | undefined },
  at: string,
): Promise<number | undefined> {
  const [row] = await db.query<{ id: number }>(
    `insert into api_keys (environment_id, hash, prefix, last_four, name, created_by, created_at)
     values ($1::int, $2::bytea, $3::text, $4::text, $5::text, $6::text, $7::timestamptz)
     on conflict do nothing
     returning id`,
    [environmentId, key.hash, key.prefix, key.lastFour, key.name ?? '', key.createdBy, at],
  )
  return row?.id
}

/** Returns false when there is no such key, or it was revoked already. */
export async function revokeKey(db: Queryable, id: number, at: string): Promise<boolean> {
  const rows = await db.query(
    'update api_keys set revoked_at = $2::timestamptz where id = $1::int and revoked_at is null returning id',
    [id, at],
  )
  return rows.length > 0
}

/** Every node empties its caches of accounts, environments and keys. */
export async function raiseRevision(db: Queryable): Promise<void> {
  await db.query('update control_revision set revision = revision + 1', [])
}
