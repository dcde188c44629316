import type { Attributes } from '../../../contract/attributes.ts'
import type { ContentOfUser, ContentReceipt, Gate as GateOutput, Run } from '../../../contract/dashboard/receipts.ts'
import { isoTime } from '../../clock.ts'
import { findContent, findContents } from '../../content/queries.ts'
import type { ContentRow } from '../../content/rows.ts'
import type { EnvironmentId } from '../../database/database.ts'
import { ofOne } from '../../database/parts.ts'
import type { Receipt } from '../../decisions/decide.ts'
import { type ContentState, findStandings } from '../../decisions/states.ts'
import { errors } from '../../errors.ts'
import { users } from '../../objects/tables.ts'
import { forgetSessions } from '../../sessions/forget.ts'
import { type DashboardHandlers, DONE } from '../call.ts'
import { contentNames } from '../content/reference-names.ts'
import { findObject } from '../objects/profile.ts'
import { entryOf, writeRight } from '../objects/write.ts'
import type { DashboardParts } from '../parts.ts'
import { uuidOf } from '../uuid.ts'
import { findRuns, type RunRow } from './queries.ts'

type Names = 'getReceipt' | 'showAgain' | 'listContentOfUser'

/** Receipts, by the function that decides; they write nothing. And what makes a user see a content again. */
export function receiptHandlers({ services, decisions }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, commits, hints } = services
  async function nameOf(environmentId: EnvironmentId, id: string): Promise<string | null> {
    const { attributesJson } = await findObject(database, environmentId, users, id)
    const { name, email } = JSON.parse(attributesJson) as Attributes
    return [name, email].find((value) => typeof value === 'string') ?? null
  }

  return {
    getReceipt: async ({ environment: { id: environmentId }, params: { content_id, user_id } }) => {
      const content = await findById(environmentId, content_id)
      const name = await nameOf(environmentId, user_id)
      const startedAt = performance.now()
      const names = await contentNames(database, environmentId)
      const call = { userId: user_id, content: content.key, hasReceipts: true, contentNames: names }
      const { receipts, groupId } = await decisions.decide(environmentId, call)
      const took_ms = Math.round((performance.now() - startedAt) * 10) / 10
      const [receipt] = receipts
      if (!receipt) throw errors.gone('Content', content_id)
      const runs = await findRuns(database, environmentId, user_id, content.id)
      return {
        ...decided(receipt, names),
        content: named(content),
        user: { id: user_id, name },
        group_id: groupId,
        at: isoTime(Date.now()),
        took_ms,
        runs: runs.map(runOutput),
      } satisfies ContentReceipt
    },

    showAgain: async (call) => {
      const { environment, params } = call
      const content = await findById(environment.id, params.content_id)
      const userId = params.user_id
      await findObject(database, environment.id, users, userId)
      // Without the name: entries of the audit log stay when the user is deleted.
      const target = { id: userId }
      const change = { action: 'user.shown_again', target, of: { userId }, after: { content: content.key } } as const
      const job = { userId, contentId: content.id, audit: entryOf(call, change), right: writeRight(call) }
      await commits.submit(forgetSessions, environment.id, job)
      if (hints.isWatched(environment.id)) hints.userChanged(environment.id, userId)
      return DONE
    },

    listContentOfUser: async ({ environment: { id: environmentId }, params: { user_id } }) => {
      await findObject(database, environmentId, users, user_id)
      const names = await contentNames(database, environmentId)
      const call = { userId: user_id, hasReceipts: true, contentNames: names }
      const { receipts } = await decisions.decide(environmentId, call)
      const [[standing] = []] = await findStandings(database, ofOne(environmentId, [user_id]))
      const rows = await findContents(
        database,
        environmentId,
        receipts.map(({ content_id }) => content_id),
      )
      const data = receipts.flatMap((receipt) => {
        const content = rows.find(({ id }) => id === receipt.content_id)
        const state = standing?.states.find(({ contentId }) => contentId === receipt.content_id)
        return content ? [{ ...decided(receipt, names), content: named(content), ...stateOf(receipt, state) }] : []
      })
      return { data: data.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)), at: isoTime(Date.now()) }
    },
  }

  async function findById(environmentId: EnvironmentId, text: string): Promise<ContentRow> {
    const id = uuidOf(text)
    const row = id === undefined ? undefined : await findContent(database, environmentId, id)
    if (!row) throw errors.gone('Content', text)
    return row
  }
}

const ORDER: ContentOfUser['state'][] = ['open', 'next', 'seen', 'hidden']

const named = ({ id, key, name, type }: ContentRow) => ({ id, key, name, type })

function stateOf(receipt: Receipt, state: ContentState | undefined): Pick<ContentOfUser, 'state' | 'when'> {
  const seen = state?.lastStartedAt ?? null
  if (state?.activeSessionId) return { state: 'open', when: seen === null ? null : isoTime(seen) }
  if (receipt.outcome === 'show') return { state: 'next', when: null }
  if (seen !== null) return { state: 'seen', when: isoTime(seen) }
  const until = receipt.gates.find(({ open, at }) => open === false && at !== undefined)?.at
  return { state: 'hidden', when: until === undefined ? null : isoTime(until) }
}

/** `names`: what content is called, by its keys. */
export const decided = ({ outcome, sentence, gates }: Receipt, names: ReadonlyMap<string, string> = new Map()) => ({
  outcome,
  sentence,
  gates: gates.map((gate) => gateOutput(gate, names)),
})

function gateOutput(
  { gate, open, code, at, behind = [], leaves = [] }: Receipt['gates'][number],
  names: ReadonlyMap<string, string>,
): GateOutput {
  const before = behind.map((key) => names.get(key) ?? key)
  return { gate, open, code, at: at === undefined ? null : isoTime(Number(at)), behind: before, leaves }
}

/** The receipt of a run is stored as the API shows it. */
function runOutput({ receipt, ...run }: RunRow): Run {
  const stored =
    receipt === null ? undefined : (JSON.parse(receipt) as { sentence: string; gates: Partial<GateOutput>[] })
  const gates = (stored?.gates ?? []).map(
    ({ gate = '', open = null, code = null, at = null, behind = [], leaves = [] }) => ({
      gate,
      open,
      code,
      at,
      behind,
      leaves,
    }),
  )
  return { ...run, sentence: stored?.sentence ?? null, gates }
}
