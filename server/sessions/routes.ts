import type { ClaimContent, ReportProgress } from '../../contract/requests/sessions.ts'
import type { ApiHandlers } from '../api.ts'
import { errors } from '../errors.ts'
import { type ExpandTree, parseExpand } from '../expand/paths.ts'
import type { ClaimRow } from '../history/rows.ts'
import { storedId } from '../ids.ts'
import { takeHorizon } from '../lists/horizon.ts'
import { renderDeleted } from '../objects/render.ts'
import type { Services } from '../services.ts'
import { answerWithoutWrite, answerWrite, orEarlierAnswer, type WriteCall } from '../writes/answer-write.ts'
import type { ChangeHistoryJob } from '../writes/jobs.ts'
import type { Claimed } from './claim.ts'
import { expandWritten } from './expand.ts'
import { type ForgetJob, forgetSessions } from './forget.ts'
import { endJob, type Progressed } from './jobs.ts'
import { listSessions, readSession } from './read.ts'
import { renderClaim, renderSessionRow } from './render.ts'
import type { ClaimRequest, ProgressRequest, Sessions } from './sessions.ts'

const KIND = 'Content session'

type SessionCall = WriteCall & { params: { content_session_id: string } }

export function sessionHandlers(services: Services, sessions: Sessions) {
  const { database, commits, hints, listReader, metrics } = services
  /** Submits a job and answers by its result: `show` makes the answer of what `render` made of it. */
  const answer = <Result>(
    call: WriteCall,
    job: ChangeHistoryJob<Result>,
    render: (result: Result) => string,
    show?: (stored: string) => Promise<string>,
  ) => answerWrite(services, sessions.work<Result>(), call, job, render, show)
  /** Expands the answer of a write. What is over the limit is refused here, before the write stores anything. */
  async function checkExpansion({ grant, params }: SessionCall, tree: ExpandTree): Promise<void> {
    if (tree.size > 0) await readSession(database, grant.environmentId, params.content_session_id, tree)
  }
  const shower =
    ({ grant }: SessionCall, tree: ExpandTree) =>
    (stored: string) =>
      expandWritten(database, grant.environmentId, stored, tree)
  /** Open pages of the user hear of it. */
  const answerForgotten = async (call: WriteCall, job: ForgetJob, answer: string) => {
    const answered = await answerWrite(services, forgetSessions, call, job, () => answer)
    const { environmentId } = call.grant
    if (!hints.isWatched(environmentId)) return answered
    if (job.sessionId === undefined) hints.userChanged(environmentId, job.userId)
    else hints.sessionChanged(environmentId, job.userId, job.sessionId)
    return answered
  }
  return {
    claimContent: async (call) => {
      const { grant, body, notify, exchange } = call
      const { environmentId } = grant
      const request = { ...claimOf(body), notify, requestId: exchange.id }
      if (!call.requestKey) return JSON.stringify(await sessions.claim(environmentId, request))
      const show = async (stored: string) =>
        JSON.stringify(await sessions.answerClaim(environmentId, JSON.parse(stored) as Claimed))
      const write = async () => answer(call, await sessions.claimJob(environmentId, request), claimText, show)
      return await orEarlierAnswer(services, call, write, async (stored) => {
        const { claim } = JSON.parse(stored) as Claimed
        const content = await sessions.versions.content(environmentId, claim.contentId)
        if (!content) throw errors.notFound('Content', claim.contentId)
        return await show(stored)
      })
    },

    reportProgress: async (call) => {
      const { grant, body, params, query, notify, exchange } = call
      const tree = parseExpand('content_session', query.expand, body.expand)
      const show = shower(call, tree)
      const request = { ...progressOf(params.content_session_id, body), notify, requestId: exchange.id }
      let tried: readonly string[] = []
      const render = ({ session, claim, answer: { state, holder, sequence }, tried: stored }: Progressed) => {
        tried = stored
        const text = session ? renderSessionRow(session) : renderClaim(claim as ClaimRow, state)
        return `${text.slice(0, -1)},"holder":${holder},"sequence":${sequence}}`
      }
      const write = async () => {
        await checkExpansion(call, tree)
        return answer(call, await sessions.progressJob(grant.environmentId, request), render, show)
      }
      const answered = await orEarlierAnswer(services, call, write, show)
      sessions.countTargets(grant.environmentId, tried)
      metrics.guidance.reported(body.reports)
      return answered
    },

    listContentSessions: async ({ grant, query, address }) => {
      const horizon = takeHorizon(commits, grant.environmentId)
      return await listReader.read((db) => listSessions(db, grant.environmentId, query, address(), horizon))
    },

    getContentSession: async ({ grant, params, query }) => {
      const { content_session_id: id } = params
      const tree = parseExpand('content_session', query.expand)
      const text = await readSession(database, grant.environmentId, id, tree)
      if (text === undefined) throw errors.notFound(KIND, id)
      return text
    },

    endContentSession: async (call) => {
      const { grant, body, params, query, notify, exchange } = call
      const tree = parseExpand('content_session', query.expand, body?.expand)
      const show = shower(call, tree)
      const id = storedId(params.content_session_id)
      const write = async () => {
        await checkExpansion(call, tree)
        const run = await sessions.runs.find(grant.environmentId, id)
        if (!run) throw errors.notFound(KIND, id)
        const job = endJob({ userId: run.userId, notify, requestId: exchange.id }, id)
        return answer(call, job, renderSessionRow, show)
      }
      return await orEarlierAnswer(services, call, write, show)
    },

    deleteContentSession: async (call) => {
      const { grant, params } = call
      const id = params.content_session_id
      const answer = renderDeleted('content_session', id)
      const run = await sessions.runs.find(grant.environmentId, id)
      if (!run) return await answerWithoutWrite(services, call, answer)
      const version = await sessions.versions.version(grant.environmentId, run.versionId)
      const contentId = version?.shape.contentId
      if (contentId === undefined) return await answerWithoutWrite(services, call, answer)
      const job = { userId: run.userId, contentId, sessionId: id }
      return await answerForgotten(call, job, answer)
    },

    forgetContentSessions: async (call) => {
      const { grant, query } = call
      return await orEarlierAnswer(services, call, async () => {
        const content = await sessions.versions.content(grant.environmentId, query.content)
        if (!content) throw errors.notFound('Content', query.content)
        const job = { userId: query.user_id, contentId: content.id }
        return answerForgotten(call, job, renderDeleted('content_session', content.id))
      })
    },
  } satisfies Partial<ApiHandlers>
}

function claimOf({ content, user_id, group_id, version_id, holder, reason, once }: ClaimContent): ClaimRequest {
  return {
    content,
    holder,
    userId: user_id,
    groupId: group_id ?? null,
    versionId: version_id ? storedId(version_id) : undefined,
    reason: reason ?? 'auto',
    once: once ?? false,
  }
}

function progressOf(id: string, { holder, epoch, reports, page }: ReportProgress): ProgressRequest {
  return { id: storedId(id), holder, epoch: epoch ?? undefined, reports, page: page ?? undefined }
}

/** A stored answer has no receipt: it may have values of others than the user. */
function claimText({ claim, session }: Claimed): string {
  return JSON.stringify({ claim: { ...claim, receiptJson: null }, session })
}
