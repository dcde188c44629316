import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { markContentDeleted } from '../deletions/deleted-content.ts'
import type { ListSource } from '../lists/source.ts'
import type { ContentRow, VersionRow } from './rows.ts'

/** The statements of content. Those of versions are in `version-queries.ts`. */

const COLUMNS = [
  'id',
  'key',
  'type',
  'name',
  'draft_version_id',
  'published_version_id',
  'published_at',
  'counts_from',
  'address',
  'created_at',
]

type Row<T> = T & Record<string, never>

export function contentSource(filter: { type?: string | undefined; key?: string | undefined } = {}): ListSource {
  const { type, key } = filter
  const filters = Object.entries({ type, key }).filter(([, value]) => value !== undefined)
  return {
    from: 'content',
    where: [
      'content.environment_id = $1::int',
      ...filters.map(([column], index) => `content.${column} = $${index + 2}::text`),
    ],
    values: filters.map(([, value]) => value),
    select: COLUMNS.map((column) => `content.${column}`).join(', '),
    id: 'content.id',
    idType: 'uuid',
    columns: {
      created_at: { expression: 'content.created_at', type: 'timestamptz' },
      name: { expression: 'content.name', type: 'text' },
    },
    filtered: false,
  }
}

export async function findContents(
  db: Queryable,
  environmentId: EnvironmentId,
  ids: readonly string[],
): Promise<ContentRow[]> {
  return await db.query<Row<ContentRow>>(
    `select ${COLUMNS.join(', ')} from content where environment_id = $1::int and id = any($2::uuid[])`,
    [environmentId, ids],
  )
}

export async function findContent(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
): Promise<ContentRow | undefined> {
  const [row] = await findContents(db, environmentId, [id])
  return row
}

export async function findContentByKey(
  db: Queryable,
  environmentId: EnvironmentId,
  key: string,
): Promise<ContentRow | undefined> {
  const [row] = await db.query<Row<ContentRow>>(
    `select ${COLUMNS.join(', ')} from content where environment_id = $1::int and key = $2::text`,
    [environmentId, key],
  )
  return row
}

/** All content: there are at most `limits.contentPerEnvironment`. */
export async function listContentRows(db: Queryable, environmentId: EnvironmentId): Promise<ContentRow[]> {
  return await db.query<Row<ContentRow>>(`select ${COLUMNS.join(', ')} from content where environment_id = $1::int`, [
    environmentId,
  ])
}

/** The published content with its documents: what an environment shows. */
export async function findPublished(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<(ContentRow & Pick<VersionRow, 'document' | 'number'>)[]> {
  return await db.query<Row<ContentRow & Pick<VersionRow, 'document' | 'number'>>>(
    `select ${COLUMNS.map((column) => `content.${column}`).join(', ')}, version.document, version.number
       from content
       join content_versions as version
         on version.environment_id = content.environment_id and version.id = content.published_version_id
      where content.environment_id = $1::int`,
    [environmentId],
  )
}

export async function countContent(
  db: Queryable,
  environmentId: EnvironmentId,
): Promise<{ all: number; published: number }> {
  const [row] = await db.query<{ all: number; published: number }>(
    `select count(*)::int as all, count(published_version_id)::int as published
       from content where environment_id = $1::int`,
    [environmentId],
  )
  return row ?? { all: 0, published: 0 }
}

export interface ContentName {
  id: string
  key: string
  name: string
  isPublished: boolean
}

/** What people call all content. */
export async function findContentNames(db: Queryable, environmentId: EnvironmentId): Promise<ContentName[]> {
  return await db.query<ContentName & Record<string, unknown>>(
    `select id, key, name, published_version_id is not null as "isPublished" from content
      where environment_id = $1::int`,
    [environmentId],
  )
}

/** The keys of all content: what conditions and actions may refer to. */
export async function findContentKeys(db: Queryable, environmentId: EnvironmentId): Promise<string[]> {
  const rows = await db.query<{ key: string }>('select key from content where environment_id = $1::int', [
    environmentId,
  ])
  return rows.map(({ key }) => key)
}

export async function insertContent(db: Transaction, environmentId: EnvironmentId, row: ContentRow): Promise<void> {
  await db.query(
    `insert into content (environment_id, id, key, type, name, draft_version_id, created_at)
     values ($1::int, $2::uuid, $3::text, $4::text, $5::text, $6::uuid, $7::timestamptz)`,
    [environmentId, row.id, row.key, row.type, row.name, row.draft_version_id, row.created_at],
  )
}

export async function updateDraftOf(
  db: Transaction,
  environmentId: EnvironmentId,
  id: string,
  name: string,
  draftVersionId: string,
): Promise<void> {
  await db.query(
    `update content set name = $3::text, draft_version_id = $4::uuid where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id, name, draftVersionId],
  )
}

/** From when on sessions of before are over, and from when on they do not count. Null changes nothing. */
export interface Boundaries {
  endsBefore: string | null
  restartsBefore: string | null
  countsFrom: string | null
}

/** When a session of the content was last created, of those before a time; 0 when there is none. In milliseconds. */
export async function findLastStart(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
  before: number,
): Promise<number> {
  const [row] = await db.query<{ last: number }>(
    `select coalesce(extract(epoch from max(created_at)) * 1000, 0)::float8 as last from content_sessions
      where environment_id = $1::int and content_id = $2::uuid and created_at < to_timestamp($3::float8 / 1000)`,
    [environmentId, id, before],
  )
  return (row as { last: number }).last
}

export async function updatePublished(
  db: Transaction,
  environmentId: EnvironmentId,
  id: string,
  versions: { draft: string; published: string | null },
  at: string | null,
  { endsBefore, restartsBefore, countsFrom }: Boundaries,
): Promise<void> {
  await db.query(
    `update content
        set draft_version_id = $3::uuid, published_version_id = $4::uuid,
            published_at = case when $4::uuid is null then null else coalesce(published_at, $5::timestamptz) end,
            ends_before = coalesce($6::timestamptz, ends_before),
            restarts_before = coalesce($7::timestamptz, restarts_before),
            counts_from = coalesce($8::timestamptz, counts_from)
      where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id, versions.draft, versions.published, at, endsBefore, restartsBefore, countsFrom],
  )
}

export async function updateAddress(
  db: Transaction,
  environmentId: EnvironmentId,
  id: string,
  address: string | null,
): Promise<void> {
  await db.query('update content set address = $3::text where environment_id = $1::int and id = $2::uuid', [
    environmentId,
    id,
    address,
  ])
}

/** What its users have seen of it is hidden with it, and removed in steps. */
export async function deleteContent(
  db: Transaction,
  environmentId: EnvironmentId,
  id: string,
  at: string,
): Promise<void> {
  await Promise.all([
    db.query('delete from content where environment_id = $1::int and id = $2::uuid', [environmentId, id]),
    db.query('delete from content_versions where environment_id = $1::int and content_id = $2::uuid', [
      environmentId,
      id,
    ]),
    markContentDeleted(db, environmentId, id, at),
  ])
}
