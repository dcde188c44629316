import type { Segment } from '../../contract/dashboard/segments.ts'
import { type ContentName, findContentNames } from '../content/queries.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import { findIn, findSegments, type SegmentRow } from '../segments/queries.ts'
import { findUses, type SegmentUse } from '../segments/uses.ts'
import { namesOf, segmentObject } from '../segments/views.ts'

type Uses = ReadonlyMap<string, readonly SegmentUse[]>

/** All segments of an environment, by their names, with what uses them. */
export async function readSegments(db: Queryable, environmentId: EnvironmentId): Promise<Segment[]> {
  const rows = await findSegments(db, environmentId)
  const uses = await findUses(db, environmentId, rows)
  const keys = [...uses.values()].flat().map(({ key }) => key)
  const contents = await findContentNames(db, environmentId, keys)
  const byName = rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  return byName.map((row) => shown(row, rows, uses, contents))
}

/** By its key or its id. */
export async function readSegment(db: Queryable, environmentId: EnvironmentId, keyOrId: string): Promise<Segment> {
  const all = await readSegments(db, environmentId)
  const found = all.find(({ key }) => key === keyOrId) ?? all.find(({ id }) => id === keyOrId)
  if (!found) throw errors.gone('Segment', keyOrId)
  return found
}

function shown(row: SegmentRow, rows: readonly SegmentRow[], uses: Uses, contents: readonly ContentName[]): Segment {
  const { object: _, warnings: __, ...segment } = segmentObject(row, [], namesOf(rows))
  const used_by = (uses.get(row.key) ?? []).map(({ object, key }) => {
    const found = object === 'content' ? contents.find((each) => each.key === key) : findIn(rows, key)
    return { object, key, id: found?.id ?? null, name: found?.name ?? key }
  })
  return { ...segment, used_by, is_live: isLive(row.key, uses, new Set()) }
}

/** Whether published content uses it, itself or through other segments. */
function isLive(key: string, uses: Uses, seen: Set<string>): boolean {
  if (seen.has(key)) return false
  seen.add(key)
  return (uses.get(key) ?? []).some((use) => use.object === 'content' || isLive(use.key, uses, seen))
}
