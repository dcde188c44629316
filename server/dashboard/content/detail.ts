import type { ContentDocument } from '../../../contract/content/document.ts'
import { draftBlockers, type Surroundings } from '../../../contract/content/publishing.ts'
import type { ContentDetail, Draft } from '../../../contract/dashboard/content.ts'
import type { Role } from '../../../contract/dashboard/paths.ts'
import { findContent } from '../../content/queries.ts'
import type { ContentRow, VersionRow } from '../../content/rows.ts'
import { revisionOf } from '../../content/save.ts'
import { findSurroundings } from '../../content/surroundings.ts'
import { findVersion, lastNumberOf } from '../../content/version-queries.ts'
import type { Database, EnvironmentId, Queryable } from '../../database/database.ts'
import { errors } from '../../errors.ts'
import { findFigures } from '../../results/queries.ts'
import { uuidOf } from '../uuid.ts'
import { stateOf, sumOf } from './list.ts'
import { findMissed } from './missed.ts'
import { readGuidance } from './rights.ts'

export async function contentOf(db: Queryable, id: EnvironmentId, text: string): Promise<ContentRow> {
  const contentId = uuidOf(text)
  const row = contentId === undefined ? undefined : await findContent(db, id, contentId)
  if (!row) throw errors.gone('Content', text.slice(0, 100))
  return row
}

export async function versionsOf(
  db: Queryable,
  id: EnvironmentId,
  row: ContentRow,
): Promise<{ draft: VersionRow; published: VersionRow | undefined }> {
  const [draft, published] = await Promise.all([
    findVersion(db, id, row.draft_version_id),
    row.published_version_id === null ? undefined : findVersion(db, id, row.published_version_id),
  ])
  // It was deleted meanwhile.
  if (!draft) throw errors.gone('Content', row.id)
  return { draft, published }
}

export async function contentDetail(
  database: Database,
  id: EnvironmentId,
  row: ContentRow,
  role: Role,
): Promise<ContentDetail> {
  const [{ draft, published }, known, figures, guidance, last] = await Promise.all([
    versionsOf(database, id, row),
    findSurroundings(database, id),
    findFigures(database, id, { contentId: row.id }),
    readGuidance(database, id, role),
    lastNumberOf(database, id, row.id),
  ])
  const document = published && (JSON.parse(published.document) as ContentDocument)
  const missed = await findMissed(database, id, new Map(published && document ? [[published.id, document]] : []))
  const live = figures.filter(({ version_id }) => version_id === published?.id)
  return {
    id: row.id,
    key: row.key,
    type: row.type,
    name: row.name,
    state: stateOf(row, draft, published),
    published:
      published && document
        ? { number: published.number, published_at: published.published_at as string, document }
        : null,
    draft: draftOutput(draft, known),
    versions: last,
    seen: sumOf(live, 'runs'),
    completed: sumOf(live, 'completed'),
    missed: (published && missed.get(published.id)) ?? null,
    address: row.address,
    guidance,
  }
}

export function draftOutput(draft: VersionRow, known: Surroundings): Draft {
  const document = JSON.parse(draft.document) as ContentDocument
  return {
    number: draft.number,
    revision: revisionOf(draft),
    edited_at: draft.edited_at,
    edited_by: draft.edited_by,
    document,
    problems: draftBlockers(document, known).map(({ path, message }) => ({ param: path, message })),
  }
}
