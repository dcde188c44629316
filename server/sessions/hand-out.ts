import type { Attributes } from '../../contract/attributes.ts'
import { render } from '../../contract/content/render.ts'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { defaultTheme, type ThemeDocument } from '../../contract/content/theme.ts'
import { partId } from '../content/document-ids.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { ObjectReader } from '../objects/reader.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import type { KnownVersion } from './versions.ts'

/** Makes what is handed out to a user. */
export interface HandOut {
  receipt(
    environmentId: EnvironmentId,
    contentId: string,
    userId: string,
    groupId: string | null,
  ): Promise<string | null>
  render(environmentId: EnvironmentId, version: KnownVersion, of: HandedTo): Promise<RenderedContent>
}

/** To whom content is handed out. */
export interface HandedTo {
  userId: string
  groupId: string | null
  tasks: readonly string[]
  /** The attributes that templates may show: all of them, unless it is a page whose user is not verified. */
  shown?: ShownAttributes | undefined
}

export interface ShownAttributes {
  readonly user: ReadonlySet<string>
  readonly group: ReadonlySet<string>
}

/** Makes it from what is stored at this moment. */
export function handOutOf(database: Database, reader: ObjectReader): HandOut {
  const attributesOf = async (environmentId: EnvironmentId, table: ObjectTable, id: string | null) => {
    const row = id === null ? undefined : await reader.find(environmentId, table, id)
    return row ? (JSON.parse(row.attributesJson) as Attributes) : {}
  }
  return {
    receipt: async () => null,
    render: async (environmentId, { document, shape }, { userId, groupId, tasks, shown }): Promise<RenderedContent> => {
      const [user, group, theme] = await Promise.all([
        attributesOf(environmentId, users, userId),
        attributesOf(environmentId, groups, groupId),
        findTheme(database, environmentId, document.theme),
      ])
      const values = { user, group }
      return render({
        id: shape.contentId,
        ...{ versionId: shape.versionId, document, theme },
        values: (of, name) => {
          const mayShow = shown === undefined || shown[of].has(name)
          return mayShow && Object.hasOwn(values[of], name) ? values[of][name] : undefined
        },
        outcome: () => null,
        idOf: (key) => partId(shape.versionId, document.type === 'checklist' ? 'task' : 'step', key),
        completedTasks: new Set(tasks),
      })
    },
  }
}

async function findTheme(db: Database, environmentId: EnvironmentId, key: string | undefined): Promise<ThemeDocument> {
  if (key === undefined) return defaultTheme
  const [row] = await db.query<{ document: string }>(
    'select document from themes where environment_id = $1::int and key = $2::text',
    [environmentId, key],
  )
  return row ? (JSON.parse(row.document) as ThemeDocument) : defaultTheme
}
