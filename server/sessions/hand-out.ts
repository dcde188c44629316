import type { Attributes, AttributeValue } from '../../contract/attributes.ts'
import { render, serverLeavesOf } from '../../contract/content/render.ts'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { partId } from '../content/document-ids.ts'
import { findThemeDocument } from '../content/theme-queries.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { Decisions } from '../decisions/decisions.ts'
import { receiptObject } from '../decisions/routes.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import type { Services } from '../services.ts'
import type { KnownVersion } from './versions.ts'

/** Makes what is handed out to a user. */
export interface HandOut {
  decide(environmentId: EnvironmentId, key: string, userId: string, groupId: string | null): Promise<LedTo>
  render(environmentId: EnvironmentId, version: KnownVersion, of: HandedTo): Promise<RenderedContent>
}

/** The decision that led to a claim: its group counts for the session, also when nobody named it. */
export interface LedTo {
  groupId: string | null
  receiptJson: string | null
}

/** To whom content is handed out. */
export interface HandedTo {
  userId: string
  groupId: string | null
  tasks: readonly string[]
  /** Whether templates may show a value: all of them, unless it is a page whose user is not verified. */
  mayShow?: MayShow | undefined
}

export type MayShow = (of: 'user' | 'group', name: string, value: AttributeValue) => boolean

/** Makes it from what is stored at this moment. */
export function handOutOf({ database, reader }: Pick<Services, 'database' | 'reader'>, decisions: Decisions): HandOut {
  const attributesOf = async (environmentId: EnvironmentId, table: ObjectTable, id: string | null) => {
    const row = id === null ? undefined : await reader.find(environmentId, table, id)
    return row ? (JSON.parse(row.attributesJson) as Attributes) : {}
  }
  return {
    decide: async (environmentId, key, userId, named) => {
      const call = { userId, groupId: named ?? undefined, content: key, hasReceipts: true }
      const { groupId, receipts } = await decisions.decide(environmentId, call)
      const [receipt] = receipts
      return { groupId, receiptJson: receipt ? JSON.stringify(receiptObject(receipt)) : null }
    },
    render: async (
      environmentId,
      { document, shape },
      { userId, groupId, tasks, mayShow },
    ): Promise<RenderedContent> => {
      const subject = { userId, groupId: groupId ?? undefined }
      const [user, group, theme, { outcomes, metTasks }] = await Promise.all([
        attributesOf(environmentId, users, userId),
        attributesOf(environmentId, groups, groupId),
        findThemeDocument(database, environmentId, document.theme),
        decisions.inside(environmentId, subject, { versionId: shape.versionId, document }),
      ])
      const values = { user, group }
      const leaves = serverLeavesOf(document)
      return render({
        id: shape.contentId,
        ...{ versionId: shape.versionId, document, theme },
        values: (of, name) => {
          const value = Object.hasOwn(values[of], name) ? values[of][name] : undefined
          return value === undefined || !mayShow || mayShow(of, name, value) ? value : undefined
        },
        outcome: (leaf) => outcomes[leaves.indexOf(leaf)] ?? null,
        idOf: (kind, key) => partId(shape.versionId, kind, key),
        // What was done before the start counts: it is stored with the first decision after it.
        completedTasks: new Set([...tasks, ...metTasks]),
      })
    },
  }
}
