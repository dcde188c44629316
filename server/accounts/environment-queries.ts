import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { errors } from '../errors.ts'
import { slugFor } from './slugs.ts'
import { drawEvenId } from './spread.ts'

/** An environment as the members of its account see it. */
export interface AccountEnvironment {
  id: EnvironmentId
  slug: string
  name: string
  created_at: string
  is_first: boolean
  keep_events_days: number | null
}

const COLUMNS = `id, slug, name, created_at, keep_events_days,
            id = (select min(id) from environments where account_id = $1::int and deleted_at is null) as is_first`

export async function listEnvironmentsOf(db: Queryable, accountId: number): Promise<AccountEnvironment[]> {
  return await db.query<AccountEnvironment>(
    `select ${COLUMNS} from environments where account_id = $1::int and deleted_at is null order by id`,
    [accountId],
  )
}

export async function findEnvironmentBySlug(
  db: Queryable,
  accountId: number,
  slug: string,
): Promise<AccountEnvironment | undefined> {
  const [row] = await db.query<AccountEnvironment>(
    `select ${COLUMNS} from environments where account_id = $1::int and slug = $2::text and deleted_at is null`,
    [accountId, slug],
  )
  return row
}

/**
 * The name that it has, and keeps until the transaction ends. Undefined when the environment is deleted. Serialises changes that
 * depend on what else it has, such as its origins. Taken after the locks of accounts and members.
 */
export async function lockEnvironment(db: Transaction, id: EnvironmentId): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(
    'select name from environments where id = $1::int and deleted_at is null for no key update',
    [id],
  )
  return row?.name
}

/** The same of an environment that a change needs. `shown` is what the error calls it when it is deleted. */
export async function lockPresentEnvironment(db: Transaction, id: EnvironmentId, shown: string): Promise<string> {
  const name = await lockEnvironment(db, id)
  if (name === undefined) throw errors.gone('Environment', shown)
  return name
}

/** Whether it is there, which it stays until the transaction ends. */
export async function keepEnvironment(db: Transaction, id: EnvironmentId): Promise<boolean> {
  const rows = await db.query('select from environments where id = $1::int and deleted_at is null for key share', [id])
  return rows.length > 0
}

/** Returns false when the account has another environment of that name. */
export async function renameEnvironment(
  db: Queryable,
  accountId: number,
  id: EnvironmentId,
  name: string,
): Promise<boolean> {
  const rows = await db.query(
    `update environments as one set name = $3::text
      where account_id = $1::int and id = $2::int and deleted_at is null
        and not exists (select from environments where account_id = $1::int and name = $3::text and id <> $2::int)
     returning 1`,
    [accountId, id, name],
  )
  return rows.length > 0
}

/**
 * The environment is hidden immediately, and its name is free. Its rows are deleted later, by the clock of the database: that of
 * a node may be wrong.
 */
export async function markEnvironmentDeleted(db: Queryable, id: EnvironmentId): Promise<void> {
  await db.query(
    `update environments set deleted_at = now(), name = name || ' (deleted ' || id || ')'
      where id = $1::int and deleted_at is null`,
    [id],
  )
}

export async function revokeKeysOf(db: Queryable, environmentId: EnvironmentId, at: string): Promise<void> {
  await db.query(
    'update api_keys set revoked_at = $2::timestamptz where environment_id = $1::int and revoked_at is null',
    [environmentId, at],
  )
}

export interface EnvironmentRow {
  id: EnvironmentId
  slug: string
  name: string
  account_id: number
  account_name: string
  created_at: string
  /** Null when events are kept forever. */
  keep_events_days: number | null
  keep_sessions_days: number | null
}

/** Without those that are being deleted. */
export async function listEnvironments(db: Queryable): Promise<EnvironmentRow[]> {
  return await db.query<EnvironmentRow>(
    `select environments.id, slug, environments.name, account_id, accounts.name as account_name, environments.created_at,
            keep_events_days, keep_sessions_days
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

/** Returns undefined when the name is taken. The account has to be locked: the slug is different from the others. */
export async function insertEnvironment(
  db: Queryable,
  accountId: number,
  name: string,
  at: string,
): Promise<EnvironmentId | undefined> {
  const id = db.isDistributed ? await drawEvenId(db) : undefined
  const [row] = await db.query<{ id: EnvironmentId }>(
    `insert into environments (id, account_id, name, slug, created_at) overriding system value
     values (coalesce($5::int, nextval(pg_get_serial_sequence('environments', 'id'))), $1::int, $2::text, $4::text,
             $3::timestamptz)
     on conflict do nothing
     returning id`,
    [accountId, name, at, slugFor(name, await listSlugs(db, accountId)), id ?? null],
  )
  return row?.id
}
