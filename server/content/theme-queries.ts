import type { ContentDocument } from '../../contract/content/document.ts'
import { defaultTheme, type ThemeDocument } from '../../contract/content/theme.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { queryParts } from '../database/forms.ts'
import { findForms } from '../database/key-forms.ts'
import { sortedUnique } from '../database/lock-order.ts'
import { type Indexed, itemsOf, type Part, rowsByPart } from '../database/parts.ts'
import type { ListSource } from '../lists/source.ts'

/** A row of `themes`. `document` is JSON text. */
export interface ThemeRow {
  id: string
  key: string
  name: string
  document: string
  created_at: string
  edited_at: string
}

const COLUMNS = ['id', 'key', 'name', 'document', 'created_at', 'edited_at']

type Row = ThemeRow & Record<string, never>

export const themeSource: ListSource = {
  from: 'themes as theme',
  where: ['theme.environment_id = $1::int'],
  values: [],
  select: COLUMNS.map((column) => `theme.${column}`).join(', '),
  id: 'theme.id',
  idType: 'uuid',
  columns: {
    created_at: { expression: 'theme.created_at', type: 'timestamptz' },
    name: { expression: 'theme.name', type: 'text' },
  },
  filtered: false,
}

export async function findThemes(db: Queryable, environmentId: EnvironmentId): Promise<ThemeRow[]> {
  return await db.query<Row>(`select ${COLUMNS.join(', ')} from themes where environment_id = $1::int`, [environmentId])
}

/** A content whose draft or published version has this theme. */
export interface ThemeUse {
  theme: string
  id: string
  name: string
  isLive: boolean
}

/** Of all content: there are at most `limits.contentPerEnvironment`. */
export async function findThemeUses(db: Queryable, environmentId: EnvironmentId): Promise<ThemeUse[]> {
  return await db.query<ThemeUse & Record<string, never>>(
    `select coalesce(version.document::json ->> 'theme', $2::text) as theme, content.id, content.name,
            bool_or(version.id = content.published_version_id) is true as "isLive"
       from content
       join content_versions as version
         on version.environment_id = content.environment_id
        and version.id in (content.draft_version_id, content.published_version_id)
      where content.environment_id = $1::int
      group by 1, 2, 3
      order by 3, 2`,
    [environmentId, defaultTheme.key],
  )
}

const DOCUMENTS = findForms('themes', { key: 'text' }, 'key, document')

/** The themes of these keys. One that is gone, and `default` until it is stored, have the first look of the default one. */
export async function findThemeDocuments(db: Queryable, keys: readonly Part<string>[]): Promise<ThemeDocument[][]> {
  const wanted = keys.map(({ environmentId, items }) => ({ environmentId, items: sortedUnique(items) }))
  const rows = await queryParts<Indexed & { key: string; document: string }>(db, DOCUMENTS, wanted, [itemsOf(wanted)])
  const found = rowsByPart(wanted, rows)
  return keys.map(({ items }, part) => {
    const documents = new Map(found[part]?.map(({ key, document }) => [key, JSON.parse(document) as ThemeDocument]))
    return items.map((key) => documents.get(key) ?? defaultTheme)
  })
}

/** Content without a theme has the one with the key `default`. */
export const themeKeyOf = ({ theme = defaultTheme.key }: Pick<ContentDocument, 'theme'>): string => theme

/** The same key again replaces it. */
export async function upsertTheme(db: Transaction, environmentId: EnvironmentId, row: ThemeRow): Promise<ThemeRow> {
  const [stored] = await db.query<Row>(
    `insert into themes (environment_id, id, key, name, document, created_at, edited_at)
     values ($1::int, $2::uuid, $3::text, $4::text, $5::text, $6::timestamptz, $7::timestamptz)
     on conflict (environment_id, key) do update
       set name = excluded.name, document = excluded.document, edited_at = excluded.edited_at
     returning ${COLUMNS.join(', ')}`,
    [environmentId, row.id, row.key, row.name, row.document, row.created_at, row.edited_at],
  )
  return stored as ThemeRow
}

export async function deleteTheme(
  db: Transaction,
  environmentId: EnvironmentId,
  key: string,
): Promise<ThemeRow | undefined> {
  const [row] = await db.query<Row>(
    `delete from themes where environment_id = $1::int and key = $2::text returning ${COLUMNS.join(', ')}`,
    [environmentId, key],
  )
  return row
}
