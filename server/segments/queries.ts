import type { Condition } from '../../contract/conditions/condition.ts'
import type { Meanings, NamedCondition, SegmentLookup } from '../conditions/compile.ts'
import { findKeptDays } from '../conditions/kept-days.ts'
import type { Scope } from '../conditions/members-sql.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { storedId } from '../ids.ts'
import { columnsOf, type ListSource } from '../lists/source.ts'

export interface SegmentRow {
  id: string
  key: string
  name: string
  scope: Scope
  /** JSON text. */
  condition: string
  created_at: string
  updated_at: string
}

const COLUMNS = 'id, key, name, scope, condition, created_at, updated_at'

export const segmentSource: ListSource = {
  from: 'segments as segment',
  where: ['segment.environment_id = $1::int'],
  values: [],
  select: columnsOf('segment', COLUMNS),
  id: 'segment.id',
  idType: 'uuid',
  columns: {
    created_at: { expression: 'segment.created_at', type: 'timestamptz' },
    name: { expression: 'segment.name', type: 'text' },
  },
  filtered: false,
}

/** All segments of an environment: there are few, and conditions refer to each other. */
export async function findSegments(db: Queryable, environmentId: EnvironmentId): Promise<SegmentRow[]> {
  return await db.query<SegmentRow & Record<string, string>>(
    `select ${COLUMNS} from segments where environment_id = $1::int order by key`,
    [environmentId],
  )
}

export type SegmentName = Pick<SegmentRow, 'id' | 'key' | 'name'>

/** What people call all segments, without their conditions, which can be large. */
export async function findSegmentNames(db: Queryable, environmentId: EnvironmentId): Promise<SegmentName[]> {
  return await db.query<SegmentName & Record<string, string>>(
    'select id, key, name from segments where environment_id = $1::int order by key',
    [environmentId],
  )
}

/** What the conditions of an environment mean at the moment, with the rows of its segments. */
export async function findMeanings(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<Meanings & { rows: SegmentRow[] }> {
  const [rows, keptDays] = await Promise.all([findSegments(db, environmentId), findKeptDays(db, environmentId)])
  return { segments: segmentLookup(rows), keptDays, rows }
}

/** Finds the conditions of segment leaves among these rows. */
function segmentLookup(rows: readonly SegmentRow[]): SegmentLookup {
  const parsed = new Map<string, NamedCondition>()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return (key) => {
    const known = parsed.get(key)
    const row = byKey.get(key)
    if (known || !row) return known
    const made = { name: row.name, condition: JSON.parse(row.condition) as Condition }
    parsed.set(key, made)
    return made
  }
}

/** By its key, or else by its id. A key from before may have the form of an id. */
export function findIn(rows: readonly SegmentRow[], keyOrId: string): SegmentRow | undefined {
  return rows.find(({ key }) => key === keyOrId) ?? rows.find(({ id }) => id === storedId(keyOrId))
}

/** A creation or a replacement; the row of the environment in `guidance` is locked. */
export async function storeSegment(db: Transaction, environmentId: EnvironmentId, row: SegmentRow): Promise<void> {
  await db.query(
    `insert into segments (environment_id, id, key, name, scope, condition, created_at, updated_at)
     values ($1::int, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::timestamptz, $8::timestamptz)
     on conflict (environment_id, id) do update
       set name = excluded.name, condition = excluded.condition, updated_at = excluded.updated_at`,
    [environmentId, row.id, row.key, row.name, row.scope, row.condition, row.created_at, row.updated_at],
  )
}

export async function deleteSegment(db: Transaction, environmentId: EnvironmentId, id: string): Promise<void> {
  await db.query('delete from segments where environment_id = $1::int and id = $2::uuid', [environmentId, id])
}

/**
 * Raises the revision of the guidance of an environment, which makes every node compile its content again with the next
 * decision. The row stays locked: changes of segments and content of an environment come one after the other.
 */
export async function raiseRevision(db: Transaction, environmentId: EnvironmentId): Promise<void> {
  await db.query(
    `insert into guidance (environment_id, revision) values ($1::int, 1)
     on conflict (environment_id) do update set revision = guidance.revision + 1`,
    [environmentId],
  )
}
