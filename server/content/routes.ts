import type { DocumentProblem } from '../../contract/content/check.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { documentProblems } from '../../contract/content/validate.ts'
import { orderable } from '../../contract/queries.ts'
import type { ApiHandlers } from '../api.ts'
import type { OriginOf } from '../audit/api-origin.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { type ExpandTree, parseExpand } from '../expand/paths.ts'
import { isUuid } from '../ids.ts'
import { renderObjects } from '../lists/response.ts'
import { renderDeleted } from '../objects/render.ts'
import type { Services } from '../services.ts'
import { answerWithoutWrite, answerWrite, earlierAnswerOf } from '../writes/answer-write.ts'
import { inDocumentsTurn } from './documents-turn.ts'
import { deleteContents, type PublishJob, publishContents, unpublishContents } from './publish.ts'
import { pushContents } from './push.ts'
import { contentSource, findContent } from './queries.ts'
import { readPage } from './read-page.ts'
import { paramOf, refuse } from './refuse.ts'
import type { ContentRow } from './rows.ts'
import { type DraftOf, saveContents } from './save.ts'
import { contentObject, contentObjects, versionObject } from './views.ts'

const NOTHING: ReadonlyMap<string, unknown> = new Map()

/** What publishing would do (server/decisions/publish-plan.ts), and what to know before a push (push-warnings.ts). */
export interface Foresight {
  plan(
    environmentId: EnvironmentId,
    call: Pick<PublishJob, 'contentId' | 'expectedDraft' | 'version'>,
    signal: AbortSignal,
  ): Promise<object>
  pushWarnings(
    environmentId: EnvironmentId,
    documents: readonly ContentDocument[],
    signal: AbortSignal,
  ): Promise<readonly DocumentProblem[]>
}

export function contentHandlers(services: Services, originOf: OriginOf, { plan, pushWarnings }: Foresight) {
  const { database, listReader } = services

  /** The answer of a write with its expansion. What is not expanded anew stays as it is. */
  function expander(environmentId: EnvironmentId, tree: ExpandTree) {
    return async (written: string) => {
      if (tree.size === 0) return written
      const object = JSON.parse(written) as ContentRow & Record<string, unknown>
      const [expanded = {}] = await contentObjects(database, environmentId, [object], tree)
      const fields = Object.entries(expanded).filter(([name]) => tree.has(name))
      return JSON.stringify({ ...object, ...Object.fromEntries(fields) })
    }
  }

  return {
    listContent: async ({ grant: { environmentId }, query, address }) => {
      const expand = parseExpand('content', query.expand)
      const list = { source: contentSource(query), all: contentSource(), fields: orderable.content, kind: 'Content' }
      return await inDocumentsTurn(environmentId, expand, async () => {
        const { page, objects } = await listReader.read(async (db) => {
          const page = await readPage<ContentRow>(db, environmentId, list, query)
          return { page, objects: await contentObjects(db, environmentId, page.rows, expand) }
        })
        return renderObjects(address(), query, page, objects)
      })
    },

    getContent: async ({ grant: { environmentId }, params: { content_id: id }, query }) => {
      const expand = parseExpand('content', query.expand)
      const row = isUuid(id) ? await findContent(database, environmentId, id) : undefined
      if (!row) throw errors.notFound('Content', id)
      const [object] = await contentObjects(database, environmentId, [row], expand)
      return JSON.stringify(object)
    },

    saveContent: async (call) => {
      const { expected_draft, expand, ...document } = call.body
      const show = expander(call.grant.environmentId, parseExpand('content', call.query.expand, expand))
      refuse(documentProblems(document))
      const job = { document: document as unknown as ContentDocument, expectedDraft: expected_draft ?? undefined }
      const request = { job, origin: await originOf(call) }
      const render = ({ content, draft }: DraftOf) =>
        JSON.stringify(contentObject(content, versionObject(draft, NOTHING)))
      return await answerWrite(services, saveContents, call, request, render, show)
    },

    publishContent: async (call) => {
      const { content_id: contentId } = call.params
      const { expected_draft, version, inside, description, expand } = call.body
      const show = expander(call.grant.environmentId, parseExpand('content', call.query.expand, expand))
      if (!isUuid(contentId)) throw errors.notFound('Content', contentId)
      const job = {
        contentId,
        expectedDraft: expected_draft ?? undefined,
        version: version ?? undefined,
        inside: inside ?? 'finish',
        description: description ?? undefined,
      }
      if (call.body.dry_run) return JSON.stringify(await plan(call.grant.environmentId, job, call.exchange.signal()))
      const request = { job, origin: await originOf(call) }
      return await answerWrite(services, publishContents, call, request, contentText, show)
    },

    pushContent: async (call) => {
      const items = call.body.documents.map(({ document, expected_draft }) => ({
        document: document as ContentDocument,
        expectedDraft: expected_draft ?? undefined,
      }))
      const documents = items.map(({ document }) => document)
      refuse(pushProblems(documents))
      const { environmentId } = call.grant
      // Counting who matches takes up to 5 s: a repeat does not do it again.
      const earlier = call.body.publish && (await earlierAnswerOf(services, call))
      if (earlier) return earlier
      const warnings = call.body.publish ? await pushWarnings(environmentId, documents, call.exchange.signal()) : []
      const job = { items, publish: call.body.publish ?? false, isDryRun: call.body.dry_run ?? false }
      return await answerWrite(
        services,
        pushContents,
        call,
        { job, origin: await originOf(call) },
        ({ content, kept }) =>
          JSON.stringify({
            object: 'content_push',
            content: content.map((row) => contentObject(row)),
            kept,
            warnings: warnings.map(paramOf),
          }),
      )
    },

    unpublishContent: async (call) => {
      const { content_id: id } = call.params
      const show = expander(call.grant.environmentId, parseExpand('content', call.query.expand, call.body?.expand))
      if (!isUuid(id)) throw errors.notFound('Content', id)
      const request = { job: id, origin: await originOf(call) }
      return await answerWrite(services, unpublishContents, call, request, contentText, show)
    },

    deleteContent: async (call) => {
      const { content_id: id } = call.params
      const answer = renderDeleted('content', id)
      if (!isUuid(id)) return await answerWithoutWrite(services, call, answer)
      return await answerWrite(services, deleteContents, call, { job: id, origin: await originOf(call) }, () => answer)
    },
  } satisfies Partial<ApiHandlers>
}

const contentText = (row: ContentRow) => JSON.stringify(contentObject(row))

/** The problems of many documents, with the place of each. */
function pushProblems(documents: readonly ContentDocument[]): DocumentProblem[] {
  const problems = documents.flatMap((document, index) =>
    documentProblems(document).map(({ path, message }) => ({
      path: `documents[${index}].document${path === '' ? '' : `.${path}`}`,
      message,
    })),
  )
  if (problems.length > 0) return problems
  const keys = documents.map(({ key }) => key)
  return keys.flatMap((key, index) =>
    keys.indexOf(key) === index
      ? []
      : [{ path: `documents[${index}].document.key`, message: `\`${key}\` is there twice` }],
  )
}
