import type { EditAnswer, EditOpened, ProposeAnswer } from '../../contract/sdk/edit.ts'
import type { editOperations } from '../../contract/sdk/operations.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Handlers } from '../http/operation.ts'
import { type EditCaller, exchangeToken, useEdit } from '../in-place/edits.ts'
import { propose } from '../in-place/propose.ts'
import { type EditRow, markEditEnded } from '../in-place/queries.ts'
import type { PageCaller } from './admission.ts'
import { renderDraft } from './draft.ts'
import type { PublicParts } from './parts.ts'

/** Edit mode of a page: it reads one draft and proposes targets. No user is identified, and nothing else can be reached. */
export function editHandlers({ services, limits }: PublicParts): Handlers<typeof editOperations, PageCaller> {
  const { database } = services
  const used = async (grant: PageCaller, exchange: Exchange, session: string): Promise<EditRow> => {
    const edit = await useEdit(database, callerOf(grant, exchange), session)
    limits.takeBrowser(grant.side, `edit ${edit.id}`)
    return edit
  }
  const answerOf = async ({ side }: PageCaller, { purpose, step, content_id }: EditRow): Promise<EditAnswer> => ({
    ...{ purpose, step },
    content: await renderDraft(database, side.environmentId, content_id),
  })
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

function callerOf({ side }: PageCaller, { request }: Exchange): EditCaller {
  return { environmentId: side.environmentId, accountId: side.accountId, origin: request.headers.origin }
}
