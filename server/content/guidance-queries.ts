import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { eachAtMost } from '../database/each-at-most.ts'

/** The row of an environment with its switch and its settings. An environment without content or segments has none. */
export interface GuidanceRow {
  revision: string
  is_off: boolean
  switched_by: string | null
  switched_at: string | null
  quiet_ms: string
  members_may_publish: boolean
}

const COLUMNS = 'revision::text, is_off, switched_by, switched_at, quiet_ms::text, members_may_publish'

/** Serialises the changes of content in an environment, so that its limits are exact. */
export async function lockGuidance(db: Transaction, environmentId: EnvironmentId): Promise<GuidanceRow> {
  await db.query('insert into guidance (environment_id) values ($1::int) on conflict do nothing', [environmentId])
  const [row] = await db.query<GuidanceRow & Record<string, never>>(
    `select ${COLUMNS} from guidance where environment_id = $1::int for update`,
    [environmentId],
  )
  return row as GuidanceRow
}

export async function findGuidance(db: Queryable, environmentId: EnvironmentId): Promise<GuidanceRow | undefined> {
  const [row] = await db.query<GuidanceRow & Record<string, never>>(
    `select ${COLUMNS} from guidance where environment_id = $1::int`,
    [environmentId],
  )
  return row
}

interface GuidanceMark {
  revision: string
  isOff: boolean
}

const ASKED_AT_ONCE = 4
/** Of an environment without content. */
const NO_MARK: GuidanceMark = { revision: '', isOff: false }

/**
 * What changes with the content, the segments and the switch of an environment. On a cluster a statement about several fails
 * while the worker of any of them is unreachable. Then each is asked by itself, and those that fail are left out.
 */
export async function findMarks(
  db: Queryable,
  environmentIds: readonly EnvironmentId[],
): Promise<Map<EnvironmentId, GuidanceMark>> {
  try {
    return new Map(await readMarks(db, environmentIds))
  } catch (error) {
    if (!db.isDistributed) throw error
    const found: [EnvironmentId, GuidanceMark][] = []
    await eachAtMost(ASKED_AT_ONCE, environmentIds, async (id) => {
      found.push(...(await readMarks(db, [id]).catch(() => [])))
    })
    if (found.length === 0) throw error
    return new Map(found)
  }
}

async function readMarks(
  db: Queryable,
  environmentIds: readonly EnvironmentId[],
): Promise<[EnvironmentId, GuidanceMark][]> {
  const rows = await db.query<{ id: EnvironmentId; revision: string; isOff: boolean }>(
    `select environment_id as id, revision::text, is_off as "isOff"
       from guidance where environment_id = any($1::int[])`,
    [environmentIds],
  )
  const found = new Map(rows.map(({ id, ...mark }) => [id, mark]))
  return environmentIds.map((id) => [id, found.get(id) ?? NO_MARK])
}

/** Undefined fields are not changed. */
export interface GuidanceChange {
  isOff?: boolean | undefined
  quietMs?: number | undefined
  membersMayPublish?: boolean | undefined
}

/** The row has to be locked. */
export async function updateGuidance(
  db: Transaction,
  environmentId: EnvironmentId,
  { isOff, quietMs, membersMayPublish }: GuidanceChange,
  by: string,
  at: string,
): Promise<void> {
  await db.query(
    `update guidance
        set is_off = coalesce($2::boolean, is_off),
            switched_by = case when $2::boolean is null then switched_by else $5::text end,
            switched_at = case when $2::boolean is null then switched_at else $6::timestamptz end,
            quiet_ms = coalesce($3::bigint, quiet_ms),
            members_may_publish = coalesce($4::boolean, members_may_publish)
      where environment_id = $1::int`,
    [environmentId, isOff, quietMs, membersMayPublish, by, at],
  )
}
