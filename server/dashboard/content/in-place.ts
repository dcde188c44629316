import type { InPlace } from '../../../contract/dashboard/in-place.ts'
import { EDIT_FRAGMENT, type EditPurpose } from '../../../contract/sdk/edit.ts'
import { revisionOf } from '../../content/save.ts'
import { changeAddresses } from '../../content/settings.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { errors } from '../../errors.ts'
import { createEdit, stateOf } from '../../in-place/edits.ts'
import { listProposals, settleProposal } from '../../in-place/proposal-queries.ts'
import { type EditRow, findEdit } from '../../in-place/queries.ts'
import { users } from '../../objects/tables.ts'
import { findDraft } from '../../previews/draft.ts'
import { renderDraft } from '../../previews/render-draft.ts'
import { asUser } from '../../previews/viewer.ts'
import { listOrigins } from '../../sdk/origin-queries.ts'
import { isAllowedOrigin, LOCALHOST } from '../../sdk/origins.ts'
import type { Services } from '../../services.ts'
import { actorOf, type DashboardHandlers, DONE, type MemberCaller } from '../call.ts'
import { confirmRole, roleRight } from '../member-rules.ts'
import type { DashboardParts } from '../parts.ts'
import { decided } from '../receipts/handlers.ts'
import { uuidOf } from '../uuid.ts'
import { contentOf } from './detail.ts'
import { memberRequest } from './handlers.ts'

type Names = 'openInPlace' | 'previewDraft' | 'getInPlace' | 'settleProposal'

/** Edit mode: the application is opened to pick elements and to preview, and what its page proposes is confirmed. */
export function inPlaceHandlers({ services, decisions }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, commits } = services
  return {
    openInPlace: async (call) => {
      const { environment, body, grant } = call
      const content = await contentOf(database, environment.id, call.params.content_id)
      const url = parseAddress(body.address)
      await checkOrigin(database, environment.id, url.origin)
      if (content.address !== url.href)
        await commits.submit(
          changeAddresses,
          environment.id,
          memberRequest(call, { id: content.id, address: url.href }),
        )
      const actor = { ...actorOf(call), id: grant.session.id }
      const { purpose, step = null, user_id: userId = null } = body
      await checkUser(services, environment.id, body)
      const request = { environment, actor, content: { id: content.id, name: content.name }, purpose, step, userId }
      const right = roleRight(grant, 'member')
      const { id, token, expiresAt } = await createEdit(database, { ...request, origin: url.origin, right })
      return { id, url: withToken(url, token), expires_at: expiresAt }
    },

    previewDraft: async ({ environment: { id }, params: { content_id, user_id } }) => {
      const draft = await findDraft(database, id, (await contentOf(database, id, content_id)).id)
      if (!draft) throw errors.gone('Content', content_id)
      const viewer = await asUser({ services, decisions }, id, draft, user_id)
      if (!viewer) throw errors.gone('User', user_id.slice(0, 100))
      const { name, path, receipt } = viewer
      const content = await renderDraft(database, id, draft, viewer)
      return {
        user: { id: user_id, name },
        revision: revisionOf(draft.version),
        content,
        path,
        receipt: decided(receipt),
      }
    },

    getInPlace: async ({ environment, params, grant }) => {
      const edit = await ownEdit(database, environment.id, params, grant)
      const rows = await listProposals(database, environment.id, edit.id)
      const proposals = rows.map((row) => ({ ...row, locators: JSON.parse(row.locators) as never }))
      return { id: edit.id, state: stateOf(edit), proposals } satisfies InPlace
    },

    settleProposal: async ({ environment, params, body, grant }) => {
      const edit = await ownEdit(database, environment.id, params, grant)
      const state = body.confirmed ? 'confirmed' : 'declined'
      const id = uuidOf(params.proposal_id)
      const isSettled = await inTransaction(database, async (transaction) => {
        await confirmRole(transaction, grant, 'member')
        return id !== undefined && (await settleProposal(transaction, environment.id, edit.id, id, state))
      })
      if (!isSettled) throw errors.gone('Proposal', params.proposal_id.slice(0, 100))
      return DONE
    },
  }
}

/** A draft is previewed as a user; an element is picked for everybody. */
async function checkUser(
  { reader }: Services,
  environmentId: EnvironmentId,
  { purpose, user_id }: { purpose: EditPurpose; user_id?: string },
): Promise<void> {
  if (user_id === undefined) return
  if (purpose !== 'preview') throw errors.invalidParams(['user_id: is for a preview only'])
  if (!(await reader.find(environmentId, users, user_id)))
    throw errors.invalidParams([`user_id: there is no user ${user_id.slice(0, 100)}`])
}

/** What another member has opened does not exist here. */
async function ownEdit(
  database: Database,
  environmentId: EnvironmentId,
  { content_id, edit_id }: { content_id: string; edit_id: string },
  { session }: MemberCaller,
): Promise<EditRow> {
  const id = uuidOf(edit_id)
  const edit = id === undefined ? undefined : await findEdit(database, environmentId, id)
  if (!edit || edit.member_id !== session.id || edit.content_id !== content_id)
    throw errors.gone('Edit session', edit_id.slice(0, 100))
  return edit
}

function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isUsable = url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  if (!isUsable)
    throw errors.invalidParams(['address: must be the address of a page, such as https://app.example.com/'])
  return url
}

async function checkOrigin(database: Database, environmentId: EnvironmentId, origin: string): Promise<void> {
  const origins = await listOrigins(database, environmentId)
  if (!isAllowedOrigin(origins.length === 0 ? [LOCALHOST] : origins, origin))
    throw errors.invalidParams([`address: pages of ${origin} may not use this environment; allow the origin first`])
}

/** In the fragment, which browsers do not send. A fragment of the application, such as that of a router, stays before it. */
function withToken(url: URL, token: string): string {
  const before = url.hash.length > 1 ? `${url.href}&` : `${url.href.replace(/#$/, '')}#`
  return `${before}${EDIT_FRAGMENT}=${token}`
}
