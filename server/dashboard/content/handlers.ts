import type { ContentDocument } from '../../../contract/content/document.ts'
import { draftProblems } from '../../../contract/content/draft.ts'
import { findEnvironmentBySlug } from '../../accounts/environment-queries.ts'
import { deleteContents, publishContents, unpublishContents } from '../../content/publish.ts'
import { refuse } from '../../content/refuse.ts'
import { createContents, saveContents } from '../../content/save.ts'
import { changeGuidance } from '../../content/settings.ts'
import { findSurroundings } from '../../content/surroundings.ts'
import { errors } from '../../errors.ts'
import { findScriptSeen } from '../../sdk/token-queries.ts'
import { actorOf, type DashboardHandlers, DONE, type MemberCaller } from '../call.ts'
import { roleRight } from '../member-rules.ts'
import type { DashboardParts } from '../parts.ts'
import { contentDetail, contentOf, draftOutput, versionsOf } from './detail.ts'
import { listContent, stateOf } from './list.ts'
import { guidanceOutput, publishRight, readGuidance } from './rights.ts'

type Names =
  | 'listContent'
  | 'createContent'
  | 'getContent'
  | 'saveDraft'
  | 'copyContent'
  | 'publishContent'
  | 'unpublishContent'
  | 'deleteContent'
  | 'updateGuidance'

/** Content, changed by the same works as through the public API, with the member in the audit log. */
export function contentHandlers({ services }: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database, commits } = services
  return {
    listContent: async ({ environment: { id }, grant }) => ({
      data: await listContent(database, id),
      guidance: await readGuidance(database, id, grant.session.role),
      script_seen_at: await findScriptSeen(database, id),
    }),

    createContent: async (call) => {
      const { id } = call.environment
      refuse(draftProblems(call.body.document))
      const request = memberRequest(call, { document: call.body.document })
      const { content } = await commits.submit(createContents, id, request)
      return { id: content.id, key: content.key }
    },

    getContent: async ({ environment: { id }, grant, params }) =>
      await contentDetail(database, id, await contentOf(database, id, params.content_id), grant.session.role),

    saveDraft: async (call) => {
      const { environment, body } = call
      refuse(draftProblems(body.document))
      const row = await contentOf(database, environment.id, call.params.content_id)
      if (body.document.key !== row.key)
        throw errors.invalidParams([`document.key: must be ${row.key}: the key of content does not change`])
      const job = { document: body.document, expectedDraft: body.expected_draft, contentId: row.id }
      const saved = await commits.submit(saveContents, environment.id, memberRequest(call, job))
      const [known, { published }] = await Promise.all([
        findSurroundings(database, environment.id),
        versionsOf(database, environment.id, saved.content),
      ])
      return { draft: draftOutput(saved.draft, known), state: stateOf(saved.content, saved.draft, published) }
    },

    copyContent: async (call) => {
      const { environment, grant, body } = call
      const row = await contentOf(database, environment.id, call.params.content_id)
      const target = await findEnvironmentBySlug(database, grant.accountId, body.to)
      if (!target) throw errors.gone('Environment', body.to)
      if (target.id === environment.id) throw errors.invalidParams(['to: must be another environment'])
      const { draft } = await versionsOf(database, environment.id, row)
      const job = { document: JSON.parse(draft.document) as ContentDocument, expectedDraft: undefined }
      const { content, isNew } = await commits.submit(
        saveContents,
        target.id,
        memberRequest({ ...call, environment: target }, job),
      )
      return { id: content.id, is_new: isNew }
    },

    publishContent: async (call) => {
      const { environment, body } = call
      const { id: contentId } = await contentOf(database, environment.id, call.params.content_id)
      const { expected_draft: expectedDraft, version, inside, description } = body
      const job = { contentId, expectedDraft, version, inside, description: description || undefined }
      const row = await commits.submit(publishContents, environment.id, memberRequest(call, job))
      return { number: (await versionsOf(database, environment.id, row)).published?.number ?? 0 }
    },

    unpublishContent: async (call) => {
      const { environment } = call
      const { id } = await contentOf(database, environment.id, call.params.content_id)
      await commits.submit(unpublishContents, environment.id, memberRequest(call, id))
      return DONE
    },

    deleteContent: async (call) => {
      const { environment } = call
      const { id } = await contentOf(database, environment.id, call.params.content_id)
      await commits.submit(deleteContents, environment.id, memberRequest(call, id))
      return DONE
    },

    updateGuidance: async (call) => {
      const { environment, body, grant } = call
      const { is_off: isOff, quiet_seconds, members_may_publish: membersMayPublish } = body
      const quietMs = quiet_seconds === undefined ? undefined : quiet_seconds * 1000
      const job = { isOff, quietMs, membersMayPublish }
      const request = { job, origin: originOf(call), right: roleRight(grant, 'admin') }
      const row = await commits.submit(changeGuidance, environment.id, request)
      return guidanceOutput(row, grant.session.role)
    },
  }
}

export function originOf(call: { grant: MemberCaller; exchange: { id: string }; environment: { slug: string } }) {
  return { actor: actorOf(call), environment: call.environment.slug }
}

/** A change of content by a member. */
export function memberRequest<Job>(
  call: Parameters<typeof publishRight>[0] & Parameters<typeof originOf>[0],
  job: Job,
) {
  return { job, origin: originOf(call), right: publishRight(call) }
}
