import type { Attributes, AttributeValue } from '../../contract/attributes.ts'
import { outcomesByLeaf, render } from '../../contract/content/render.ts'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { GatheredReads } from '../batches/gathered-reads.ts'
import type { Subject } from '../conditions/fact-reader.ts'
import { partId } from '../content/document-ids.ts'
import { findThemeDocuments, themeKeyOf } from '../content/theme-queries.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { Receipt } from '../decisions/decide.ts'
import type { DecidedPublished, Decisions } from '../decisions/decisions.ts'
import { NOTHING_INSIDE } from '../decisions/inner-conditions.ts'
import { receiptObject } from '../decisions/routes.ts'
import type { StartReason } from '../history/rows.ts'
import type { CreationTimes } from '../history/user-history.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import type { Services } from '../services.ts'
import type { KnownAttributes } from './claim.ts'
import type { KnownVersion } from './versions.ts'

/** Makes what is handed out to a user. */
export interface HandOut {
  /** About a published content, by its key or its id; undefined when there is none. */
  decide(environmentId: EnvironmentId, content: string, subject: Subject): Promise<LedTo | undefined>
  render(environmentId: EnvironmentId, version: KnownVersion, of: HandedTo): Promise<RenderedContent>
}

/** The decision that led to a claim: its group counts for the session, also when nobody named it. */
export interface LedTo {
  versionId: string
  groupId: string | null
  receipt: Receipt
  createdAt: CreationTimes
}

export function ledTo({ content, receipt, groupId, createdAt }: DecidedPublished): LedTo {
  return { versionId: content.versionId, groupId, receipt, createdAt }
}

/** What led to a session, as it is stored with it. A claim passes by gates that may be closed. */
export function receiptTextOf(receipt: Receipt, reason: StartReason): string {
  const sentence = reason === 'manual' ? 'Shown: it was started by hand' : claimedSentence(receipt.sentence)
  return JSON.stringify(receiptObject({ ...receipt, outcome: 'show', reason: null, sentence }))
}

const claimedSentence = (sentence: string) => sentence.replace(/^Not shown: /, 'Shown: it was claimed, although ')

/** To whom content is handed out. */
export interface HandedTo {
  userId: string
  groupId: string | null
  tasks: readonly string[]
  /** Their attributes, as far as the caller knows them. */
  known?: KnownAttributes | undefined
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
  const themes = new GatheredReads(database, findThemeDocuments)
  return {
    decide: async (environmentId, name, subject) => {
      const { decided } = await decisions.decidePublished(environmentId, subject, name)
      return decided && ledTo(decided)
    },
    render: async (
      environmentId,
      { document, shape, leaves },
      { userId, groupId, tasks, known, mayShow },
    ): Promise<RenderedContent> => {
      const subject = { userId, groupId: groupId ?? undefined }
      const [user, group, theme, { outcomes, metTasks }] = await Promise.all([
        known?.user ?? attributesOf(environmentId, users, userId),
        known?.group ?? attributesOf(environmentId, groups, groupId),
        themes.find(environmentId, themeKeyOf(document)),
        leaves.length > 0
          ? decisions.inside(environmentId, subject, { versionId: shape.versionId, document })
          : NOTHING_INSIDE,
      ])
      const values = { user, group }
      return render({
        id: shape.contentId,
        ...{ versionId: shape.versionId, document, theme },
        values: (of, name) => {
          const value = Object.hasOwn(values[of], name) ? values[of][name] : undefined
          return value === undefined || !mayShow || mayShow(of, name, value) ? value : undefined
        },
        outcome: outcomesByLeaf(leaves, outcomes),
        idOf: (kind, key) => partId(shape.versionId, kind, key),
        // What was done before the start counts: it is stored with the first decision after it.
        completedTasks: new Set([...tasks, ...metTasks]),
      })
    },
  }
}
