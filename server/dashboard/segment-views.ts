import type { Segment } from '../../contract/dashboard/segments.ts'
import { type ContentName, findContentNames } from '../content/queries.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import { findIn, findMeanings, type SegmentRow } from '../segments/queries.ts'
import { findUses, isLive, type SegmentUses } from '../segments/uses.ts'
import { namesOf, type SentenceWords, segmentObject } from '../segments/views.ts'

/** All segments of an environment, by their names, with what uses them. */
export async function readSegments(db: Queryable, environmentId: EnvironmentId): Promise<Segment[]> {
  const { rows, show } = await readShown(db, environmentId)
  return rows.toSorted((a, b) => a.name.localeCompare(b.name, 'en')).map(show)
}

/** By its key or its id. */
export async function readSegment(db: Queryable, environmentId: EnvironmentId, keyOrId: string): Promise<Segment> {
  const { rows, show } = await readShown(db, environmentId)
  const found = rows.find(({ key }) => key === keyOrId) ?? rows.find(({ id }) => id === keyOrId)
  if (!found) throw errors.gone('Segment', keyOrId)
  return show(found)
}

/** The rows of all segments, and what shows one of them: its sentence can be as long as its condition. */
async function readShown(db: Queryable, environmentId: EnvironmentId) {
  const { rows, keptDays } = await findMeanings(db, environmentId)
  const [uses, contents] = await Promise.all([findUses(db, environmentId, rows), findContentNames(db, environmentId)])
  const content = new Map(contents.map(({ key, name }) => [key, name]))
  const words = { names: { ...namesOf(rows), content }, keptDays }
  return { rows, show: (row: SegmentRow) => shown(row, words, rows, uses, contents) }
}

function shown(
  row: SegmentRow,
  words: SentenceWords,
  rows: readonly SegmentRow[],
  uses: SegmentUses,
  contents: readonly ContentName[],
): Segment {
  const { object: _, warnings: __, ...segment } = segmentObject(row, [], words)
  const used_by = (uses.get(row.key) ?? []).map(({ object, key }) => {
    const found = object === 'content' ? contents.find((each) => each.key === key) : findIn(rows, key)
    return { object, key, id: found?.id ?? null, name: found?.name ?? key }
  })
  return { ...segment, used_by, is_live: isLive(row.key, uses) }
}
