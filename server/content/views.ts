import type { ContentDocument } from '../../contract/content/document.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import type { ExpandTree } from '../expand/paths.ts'
import { questionObjects, taskObjects } from './document-ids.ts'
import { findContents } from './queries.ts'
import type { ContentRow, VersionRow } from './rows.ts'
import { revisionOf } from './save.ts'
import type { ThemeRow } from './theme-queries.ts'
import { findVersions } from './version-queries.ts'

/** Content and versions as the API shows them. Each level of an expansion is one statement for all objects of a page. */

export async function contentObjects(
  db: Queryable,
  environmentId: EnvironmentId,
  rows: readonly ContentRow[],
  expand: ExpandTree,
): Promise<object[]> {
  const drafts = await versionsOf(
    db,
    environmentId,
    rows.map((row) => row.draft_version_id),
    expand.get('draft_version'),
  )
  const published = await versionsOf(
    db,
    environmentId,
    rows.flatMap(({ published_version_id: id }) => (id === null ? [] : [id])),
    expand.get('published_version'),
  )
  return rows.map((row) =>
    contentObject(row, drafts.get(row.draft_version_id), published.get(row.published_version_id ?? '')),
  )
}

/** With its versions where they are expanded. */
export function contentObject(row: ContentRow, draft: object | null = null, published: object | null = null): object {
  return {
    id: row.id,
    object: 'content',
    created_at: row.created_at,
    draft_version: draft,
    draft_version_id: row.draft_version_id,
    key: row.key,
    name: row.name,
    published_version: published,
    published_version_id: row.published_version_id,
    type: row.type,
  }
}

/** The rendered versions by their ids; none when they are not expanded. */
async function versionsOf(
  db: Queryable,
  environmentId: EnvironmentId,
  ids: readonly string[],
  expand: ExpandTree | undefined,
): Promise<Map<string, object>> {
  if (!expand || ids.length === 0) return new Map()
  const rows = await findVersions(db, environmentId, ids, showsDocument(expand))
  const objects = await versionObjects(db, environmentId, rows, expand)
  return new Map(rows.map(({ id }, index) => [id, objects[index] as object]))
}

/** Whether versions are shown with something of their documents. */
export const showsDocument = (expand: ReadonlyMap<string, unknown>): boolean =>
  ['document', 'questions', 'tasks'].some((name) => expand.has(name))

export async function versionObjects(
  db: Queryable,
  environmentId: EnvironmentId,
  rows: readonly VersionRow[],
  expand: ExpandTree,
): Promise<object[]> {
  const contents = await contentsOf(db, environmentId, rows, expand.get('content'))
  return rows.map((row) => versionObject(row, expand, contents.get(row.content_id)))
}

export function versionObject(
  row: VersionRow,
  expand: ReadonlyMap<string, unknown>,
  content: object | null = null,
): object {
  const document = JSON.parse(row.document) as ContentDocument
  return {
    id: row.id,
    object: 'content_version',
    content,
    content_id: row.content_id,
    created_at: row.created_at,
    description: row.description,
    document: expand.has('document') ? document : null,
    edited_at: row.edited_at,
    number: row.number,
    published_at: row.published_at,
    questions: expand.has('questions') ? questionObjects(row.id, document) : null,
    revision: revisionOf(row),
    tasks: expand.has('tasks') ? taskObjects(row.id, document) : null,
  }
}

async function contentsOf(
  db: Queryable,
  environmentId: EnvironmentId,
  versions: readonly VersionRow[],
  expand: ExpandTree | undefined,
): Promise<Map<string, object>> {
  if (!expand) return new Map()
  const rows = await findContents(db, environmentId, [...new Set(versions.map(({ content_id }) => content_id))])
  const objects = await contentObjects(db, environmentId, rows, expand)
  return new Map(rows.map(({ id }, index) => [id, objects[index] as object]))
}

export function themeObject({ id, key, name, document, created_at, edited_at }: ThemeRow): object {
  return { id, object: 'theme', created_at, document: JSON.parse(document), edited_at, key, name }
}
