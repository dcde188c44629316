import type { Names } from '../../../contract/conditions/sentence.ts'
import { isEqual } from '../../../contract/content/differences.ts'
import type { ContentDocument } from '../../../contract/content/document.ts'
import { questionsOf } from '../../../contract/content/validate.ts'
import type { ContentRow as ContentRowOutput, ContentState } from '../../../contract/dashboard/content.ts'
import type { MissedTarget } from '../../../contract/dashboard/missed-target.ts'
import { DAY_MS } from '../../../contract/units.ts'
import { listContentRows } from '../../content/queries.ts'
import type { ContentRow, VersionRow } from '../../content/rows.ts'
import { findVersions } from '../../content/version-queries.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { type ContentFigures, findFigures } from '../../results/queries.ts'
import { findMissed } from './missed.ts'
import { referenceNames } from './reference-names.ts'
import { sizeWords, whoWords } from './words.ts'

const DAYS = 14
/** So many documents are read at a time: those of all content are up to 64 MiB. */
const PORTION = 50

/** All content of an environment, the latest change first. */
export async function listContent(
  database: Database,
  id: EnvironmentId,
  now = Date.now(),
): Promise<ContentRowOutput[]> {
  const [rows, figures, names] = await Promise.all([
    listContentRows(database, id),
    findFigures(database, id, { since: daysBefore(now)[0] as string }),
    referenceNames(database, id),
  ])
  const known = { figures: Map.groupBy(figures, ({ content_id }) => content_id), names, now }
  const listed: ContentRowOutput[] = []
  for (let first = 0; first < rows.length; first += PORTION)
    listed.push(...(await listPortion(database, id, rows.slice(first, first + PORTION), known)))
  return listed.sort((a, b) => (a.edited_at < b.edited_at ? 1 : -1))
}

async function listPortion(
  database: Database,
  id: EnvironmentId,
  rows: readonly ContentRow[],
  known: Omit<Known, 'versions' | 'missed'>,
): Promise<ContentRowOutput[]> {
  const ids = rows.flatMap((row) => [row.draft_version_id, row.published_version_id ?? []].flat())
  const versions = new Map((await findVersions(database, id, [...new Set(ids)])).map((row) => [row.id, row]))
  const published = rows.flatMap(({ published_version_id }) => versions.get(published_version_id ?? '') ?? [])
  const missed = await findMissed(
    database,
    id,
    new Map(published.map((row) => [row.id, JSON.parse(row.document) as ContentDocument])),
    known.now,
  )
  return rows.flatMap((row) => {
    const draft = versions.get(row.draft_version_id)
    // Without one it was deleted meanwhile.
    return draft ? contentRow(row, draft, { ...known, versions, missed }) : []
  })
}

/** What the rows of the list are made from, besides their content. */
interface Known {
  versions: ReadonlyMap<string, VersionRow>
  /** By the id of the content. */
  figures: ReadonlyMap<string, readonly ContentFigures[]>
  missed: ReadonlyMap<string, MissedTarget>
  names: Names
  now: number
}

function contentRow(
  row: ContentRow,
  draft: VersionRow,
  { versions, figures, missed, names, now }: Known,
): ContentRowOutput {
  const published = versions.get(row.published_version_id ?? '')
  const document = JSON.parse((published ?? draft).document) as ContentDocument
  const of = figures.get(row.id) ?? []
  const live = of.filter(({ version_id }) => version_id === published?.id)
  return {
    id: row.id,
    key: row.key,
    type: row.type,
    name: row.name,
    state: stateOf(row, draft, published),
    size: sizeWords(document),
    who: whoWords(document, names),
    missed: (published && missed.get(published.id)) ?? null,
    seen: published ? sumOf(live, 'runs') : null,
    completed: published && (row.type === 'flow' || row.type === 'checklist') ? sumOf(live, 'completed') : null,
    days: daysOf(of, now),
    questions: questionsOf(document).map(({ block: { question, label, kind } }) => ({ key: question, label, kind })),
    edited_at:
      draft.edited_at > (published?.published_at ?? '') ? draft.edited_at : (published?.published_at as string),
  }
}

/** A draft that is again what is published is no change. */
export function stateOf(row: ContentRow, draft: VersionRow, published: VersionRow | undefined): ContentState {
  if (!published) return 'draft'
  if (row.draft_version_id === row.published_version_id) return 'published'
  return isEqual(JSON.parse(draft.document), JSON.parse(published.document)) ? 'published' : 'changed'
}

export const sumOf = (figures: readonly ContentFigures[], name: 'runs' | 'completed') =>
  figures.reduce((sum, figure) => sum + figure[name], 0)

function daysOf(figures: readonly ContentFigures[], now: number): number[] {
  const byDay = Map.groupBy(figures, ({ day }) => day)
  return daysBefore(now).map((day) => sumOf(byDay.get(day) ?? [], 'runs'))
}

/** The days that are shown, the oldest first. */
const daysBefore = (now: number) => Array.from({ length: DAYS }, (_, index) => dayOf(now - (DAYS - 1 - index) * DAY_MS))

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
