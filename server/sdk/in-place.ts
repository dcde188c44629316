import { gateNames } from '../../contract/content/gate-names.ts'
import type { EditAnswer, EditAs, EditOpened, ProposeAnswer } from '../../contract/sdk/edit.ts'
import type { editOperations } from '../../contract/sdk/operations.ts'
import { errors } from '../errors.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Handlers } from '../http/operation.ts'
import { type EditCaller, exchangeToken, useEdit } from '../in-place/edits.ts'
import { propose } from '../in-place/propose.ts'
import { type EditRow, markEditEnded } from '../in-place/queries.ts'
import { findDraft } from '../previews/draft.ts'
import { renderDraft } from '../previews/render-draft.ts'
import { asUser, type UserViewer } from '../previews/viewer.ts'
import type { PageCaller } from './admission.ts'
import type { PublicParts } from './parts.ts'

/** Edit mode of a page: it reads one draft and proposes targets. No user is identified, and nothing else can be reached. */
export function editHandlers({
  services,
  decisions,
  limits,
}: PublicParts): Handlers<typeof editOperations, PageCaller> {
  const { database } = services
  const used = async (grant: PageCaller, exchange: Exchange, session: string): Promise<EditRow> => {
    const edit = await useEdit(database, callerOf(grant, exchange), session)
    limits.takeBrowser(grant.side, `edit ${edit.id}`)
    return edit
  }
  const answerOf = async ({ side: { environmentId } }: PageCaller, edit: EditRow): Promise<EditAnswer> => {
    const { purpose, step, content_id, user_id } = edit
    const draft = await findDraft(database, environmentId, content_id)
    if (!draft) throw errors.editEnded()
    const viewer = user_id === null ? undefined : await asUser({ services, decisions }, environmentId, draft, user_id)
    const content = await renderDraft(database, environmentId, draft, viewer)
    return { purpose, step, content, as: viewer ? receiptOf(viewer, user_id as string) : null }
  }
  return {
    openEdit: async ({ grant, body, exchange }) => {
      const { edit, session } = await exchangeToken(database, callerOf(grant, exchange), body.token)
      return JSON.stringify({ session, ...(await answerOf(grant, edit)) } satisfies EditOpened)
    },
    readDraft: async ({ grant, body, exchange }) =>
      JSON.stringify(await answerOf(grant, await used(grant, exchange, body.session))),
    propose: async ({ grant, body, exchange }) => {
      const edit = await used(grant, exchange, body.session)
      const id = await propose(database, grant.side.environmentId, edit, body)
      return JSON.stringify({ id } satisfies ProposeAnswer)
    },
    endEdit: async ({ grant, body, exchange }) => {
      const { id } = await used(grant, exchange, body.session)
      await markEditEnded(database, grant.side.environmentId, id, new Date().toISOString())
      return JSON.stringify({ ended: true })
    },
  }
}

function receiptOf({ name, receipt: { sentence, gates } }: UserViewer, userId: string): EditAs {
  return {
    user: name ?? userId,
    sentence,
    gates: gates.map(({ gate, open, leaves = [] }) => ({
      name: gateNames[gate] ?? gate,
      open,
      lines: leaves.map((leaf) => ({ met: leaf.met, sentence: leaf.sentence })),
    })),
  }
}

function callerOf({ side }: PageCaller, { request }: Exchange): EditCaller {
  return { environmentId: side.environmentId, accountId: side.accountId, origin: request.headers.origin }
}
