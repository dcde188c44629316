import { readDate } from '../../contract/datetime.ts'
import type { EnvironmentId, Queryable, Reader } from '../database/database.ts'
import { leastIdAt } from '../ids.ts'
import { PAGE_BYTES } from '../lists/measured.ts'
import { findAuditValues, findValueSizes } from './values.ts'

export interface AuditRow {
  id: string
  at: string
  actor_kind: 'member' | 'command' | 'key'
  actor_id: string | null
  actor_name: string
  action: string
  target_kind: string
  target_id: string
  target_name: string | null
  environment: string | null
  address: string | null
  request_id: string | null
  /** JSON text. */
  before: string | null
  after: string | null
  /** The names of the changed fields, where the values are in `audit_values`. */
  fields: string[] | null
}

/** `before` and `after` are stored here, or, in `valuesIn`, elsewhere. */
export async function insertAuditEntry(
  db: Queryable,
  accountId: number,
  row: AuditRow,
  valuesIn: EnvironmentId | null,
): Promise<void> {
  await db.query(
    `insert into audit_entries
       (account_id, id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, environment,
        address, request_id, before, after, fields, values_environment_id)
     values ($1::int, $2::uuid, $3::timestamptz, $4::text, $5::text, $6::text, $7::text, $8::text, $9::text, $10::text,
             $11::text, $12::text, $13::text, $14::jsonb, $15::jsonb, $16::text[], $17::int)`,
    [
      accountId,
      row.id,
      row.at,
      row.actor_kind,
      row.actor_id,
      row.actor_name,
      row.action,
      row.target_kind,
      row.target_id,
      row.target_name,
      row.environment,
      row.address,
      row.request_id,
      row.before,
      row.after,
      row.fields,
      valuesIn,
    ],
  )
}

export interface AuditFilter {
  actorKind?: AuditRow['actor_kind'] | undefined
  actorId?: string | undefined
  /** The whole action, or the part before its dot. */
  action?: string | undefined
  targetId?: string | undefined
  environment?: string | undefined
  since?: string | undefined
  until?: string | undefined
  /** The id of the last entry of the page before. */
  after?: string | undefined
  limit: number
}

const COLUMNS = `id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id, target_name, environment,
            address, request_id, before::text, after::text, fields, values_environment_id as "valuesIn"`

export async function findAuditEntry(db: Reader, accountId: number, id: string): Promise<AuditRow | undefined> {
  const found = await db.query<FoundRow & Record<string, never>>(
    `select ${COLUMNS}
       from audit_entries
      where account_id = $1::int and id = $2::uuid`,
    [accountId, id],
  )
  return (await withValues(db, found))[0]
}

export interface AuditPage {
  rows: AuditRow[]
  /** Whether the page has fewer rows than its limit because of their bytes. */
  isCut: boolean
}

/**
 * Newest first, up to the entry with which the values of users, groups and events have `PAGE_BYTES`. Each filter has an index.
 * The statement is planned for its values, since most filters are absent.
 */
export async function listAuditEntries(
  db: Reader,
  accountId: number,
  { actorKind, actorId, action, targetId, environment, since, until, after, limit }: AuditFilter,
): Promise<AuditPage> {
  const [kind, verb] = action?.split('.') ?? []
  const exact = verb === undefined ? undefined : action
  const rows = await db.queryUnprepared<FoundRow & Record<string, never>>(
    `select ${COLUMNS}
       from audit_entries
      where account_id = $1::int
        and ($2::text is null or actor_kind = $2::text)
        and ($3::text is null or actor_id = $3::text)
        and ($4::text is null or target_kind = $4::text)
        and ($5::text is null or action = $5::text)
        and ($6::text is null or target_id = $6::text)
        and ($7::text is null or environment = $7::text)
        and ($8::timestamptz is null or at >= $8::timestamptz)
        and ($9::timestamptz is null or at < $9::timestamptz)
        and ($10::uuid is null or id < $10::uuid)
        and ($11::uuid is null or id >= $11::uuid)
      order by id desc
      limit $12::int`,
    [accountId, actorKind, actorId, kind, exact, targetId, environment, since, until, after, firstIdOf(since), limit],
  )
  const fitting = rows.slice(0, await countFitting(db, rows))
  return { rows: await withValues(db, fitting), isCut: fitting.length < rows.length }
}

/** No id has an earlier time than its entry. Without this, few entries since a time are found by reading all before it. */
function firstIdOf(since: string | undefined): string | undefined {
  const time = readDate(since)
  return time && leastIdAt(time.getTime())
}

/** How many of these entries a page has room for: an entry can have half a megabyte. */
async function countFitting(db: Queryable, rows: readonly FoundRow[]): Promise<number> {
  const [environmentIds, entryIds] = placesOfValues(rows)
  const sizes = entryIds.length > 0 ? await findValueSizes(db, environmentIds, entryIds) : []
  let sum = 0
  const last = sizes.find(({ bytes }) => {
    sum += bytes
    return sum >= PAGE_BYTES
  })
  return last ? rows.findIndex(({ id }) => id === last.entryId) + 1 : rows.length
}

type LastEntry = Pick<AuditRow, 'action' | 'actor_id' | 'actor_name' | 'at'>

/** The newest entry about something. */
export async function findLastEntry(
  db: Queryable,
  accountId: number,
  targetId: string,
): Promise<LastEntry | undefined> {
  const [row] = await db.query<LastEntry & Record<string, string | null>>(
    `select action, actor_id, actor_name, at from audit_entries
      where account_id = $1::int and target_id = $2::text
      order by id desc
      limit 1`,
    [accountId, targetId],
  )
  return row
}

interface FoundRow extends AuditRow {
  valuesIn: EnvironmentId | null
}

/** The environments and the ids of the entries whose values are elsewhere. */
function placesOfValues(rows: readonly FoundRow[]): [environmentIds: EnvironmentId[], entryIds: string[]] {
  const apart = rows.filter(({ valuesIn }) => valuesIn !== null)
  return [[...new Set(apart.map(({ valuesIn }) => valuesIn as EnvironmentId))], apart.map(({ id }) => id)]
}

/** Values that a deletion has emptied stay null. */
async function withValues(db: Queryable, rows: readonly FoundRow[]): Promise<AuditRow[]> {
  const [environmentIds, entryIds] = placesOfValues(rows)
  const found = entryIds.length > 0 ? await findAuditValues(db, environmentIds, entryIds) : []
  const byEntry = new Map(found.map(({ entryId, before, after }) => [entryId, { before, after }]))
  return rows.map(({ valuesIn, ...row }) => ({ ...row, ...byEntry.get(row.id) }))
}
