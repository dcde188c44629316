import type { EnvironmentId, Queryable, Reader, Transaction } from '../database/database.ts'
import type { ListSource } from '../lists/source.ts'
import type { VersionRow } from './rows.ts'

const COLUMNS = [
  'id',
  'content_id',
  'number',
  'document',
  'description',
  'revision',
  'edited_at',
  'edited_by',
  'edited_by_id',
  'created_at',
  'published_at',
]

type Row = VersionRow & Record<string, never>

/** Where nothing of the document is shown, an empty one is read: it can have 64 KiB. */
const shownColumns = (hasDocument: boolean, of = '') =>
  COLUMNS.map((column) => (column === 'document' && !hasDocument ? "'{}' as document" : `${of}${column}`)).join(', ')

/** Ordered by a text of the number with leading zeros, since a position of a page holds texts. */
export function versionSource(contentId: string, hasDocument = true): ListSource {
  return {
    from: 'content_versions as version',
    where: ['version.environment_id = $1::int', 'version.content_id = $2::uuid'],
    values: [contentId],
    select: shownColumns(hasDocument, 'version.'),
    id: 'version.id',
    idType: 'uuid',
    columns: { number: { expression: `lpad(version.number::text, 10, '0') collate "C"`, type: 'text' } },
    filtered: false,
  }
}

/** For the position of `starting_after`, whatever its content. */
export function versionSourceOfAll(): ListSource {
  return { ...versionSource(''), where: ['version.environment_id = $1::int'], values: [] }
}

export async function findVersions(
  db: Queryable,
  environmentId: EnvironmentId,
  ids: readonly string[],
  hasDocument = true,
): Promise<VersionRow[]> {
  return await db.query<Row>(
    `select ${shownColumns(hasDocument)} from content_versions where environment_id = $1::int and id = any($2::uuid[])`,
    [environmentId, ids],
  )
}

export async function findVersion(
  db: Queryable,
  environmentId: EnvironmentId,
  id: string,
): Promise<VersionRow | undefined> {
  const [row] = await findVersions(db, environmentId, [id])
  return row
}

/** What it is of its content, read by the same statement: another one would read it before or after a publication. */
export type StatedVersion = VersionRow & { state: 'published' | 'draft' | 'earlier' }

const STATE = `(
  select case content_versions.id when published_version_id then 'published' when draft_version_id then 'draft' else 'earlier' end
    from content where environment_id = $1::int and id = content_versions.content_id) as state`

export async function findVersionByNumber(
  db: Queryable,
  environmentId: EnvironmentId,
  contentId: string,
  number: number,
): Promise<StatedVersion | undefined> {
  const [row] = await db.query<StatedVersion & Row>(
    `select ${COLUMNS.join(', ')}, ${STATE} from content_versions
      where environment_id = $1::int and content_id = $2::uuid and number = $3::int`,
    [environmentId, contentId, number],
  )
  return row
}

/** The versions of a content without their documents, newest first. */
export async function listVersionRows(
  db: Queryable,
  environmentId: EnvironmentId,
  contentId: string,
): Promise<Omit<StatedVersion, 'document'>[]> {
  return await db.query<StatedVersion & Row>(
    `select ${COLUMNS.filter((column) => column !== 'document').join(', ')}, ${STATE} from content_versions
      where environment_id = $1::int and content_id = $2::uuid order by number desc limit 500`,
    [environmentId, contentId],
  )
}

/** The numbers of all versions of a content, by their ids. */
export async function findVersionNumbers(
  db: Reader,
  environmentId: EnvironmentId,
  contentId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ id: string; number: number }>(
    'select id, number from content_versions where environment_id = $1::int and content_id = $2::uuid',
    [environmentId, contentId],
  )
  return new Map(rows.map(({ id, number }) => [id, number]))
}

export async function lastNumberOf(db: Queryable, environmentId: EnvironmentId, contentId: string): Promise<number> {
  const [row] = await db.query<{ number: number | null }>(
    'select max(number) as number from content_versions where environment_id = $1::int and content_id = $2::uuid',
    [environmentId, contentId],
  )
  return row?.number ?? 0
}

export async function insertVersion(db: Transaction, environmentId: EnvironmentId, row: VersionRow): Promise<void> {
  await db.query(
    `insert into content_versions
       (environment_id, id, content_id, number, document, description, revision, edited_at, edited_by, edited_by_id,
        created_at)
     values ($1::int, $2::uuid, $3::uuid, $4::int, $5::text, $6::text, $7::int, $8::timestamptz, $9::text, $10::text,
             $11::timestamptz)`,
    [
      environmentId,
      row.id,
      row.content_id,
      row.number,
      row.document,
      row.description,
      row.revision,
      row.edited_at,
      row.edited_by,
      row.edited_by_id,
      row.created_at,
    ],
  )
}

export async function updateDraft(db: Transaction, environmentId: EnvironmentId, row: VersionRow): Promise<void> {
  await db.query(
    `update content_versions
        set document = $3::text, revision = $4::int, edited_at = $5::timestamptz, edited_by = $6::text,
            edited_by_id = $7::text
      where environment_id = $1::int and id = $2::uuid`,
    [environmentId, row.id, row.document, row.revision, row.edited_at, row.edited_by, row.edited_by_id],
  )
}

/** A version that was published before keeps its time. */
export async function freezeVersion(
  db: Transaction,
  environmentId: EnvironmentId,
  id: string,
  at: string,
  description: string | null,
): Promise<void> {
  await db.query(
    `update content_versions
        set published_at = coalesce(published_at, $3::timestamptz), description = coalesce($4::text, description)
      where environment_id = $1::int and id = $2::uuid`,
    [environmentId, id, at, description],
  )
}
