import {
  type Claim,
  LEASE_SECONDS,
  type PageInfo,
  type RenewAnswer,
  type Report,
  type SessionProgress,
} from '../../contract/sdk/protocol.ts'
import type { Work } from '../batches/work.ts'
import type { EnvironmentId } from '../database/database.ts'
import { ofOne } from '../database/parts.ts'
import type { Decisions } from '../decisions/decisions.ts'
import { type ApiError, errors } from '../errors.ts'
import { findAnswers } from '../history/find.ts'
import type { SessionRow, StartReason } from '../history/rows.ts'
import type { Services } from '../services.ts'
import type { ChangeHistoryJob } from '../writes/jobs.ts'
import type { Claimed } from './claim.ts'
import { type HandOut, handOutOf, type LedTo, type MayShow, receiptTextOf } from './hand-out.ts'
import { claimJob, type JobOf, type Progressed, progressJob, releaseJob, renewJob } from './jobs.ts'
import { KnownRuns } from './known-runs.ts'
import { Versions } from './versions.ts'

/** What a caller wants to show, and who asks. */
export interface ClaimRequest extends JobOf {
  /** The key or the id. */
  content: string
  groupId: string | null
  /** A page only names its group: as in its decisions, one that the user is not in counts as none. Others are refused. */
  isPage?: boolean
  versionId?: string | undefined
  holder: string
  reason: StartReason
  once?: boolean | undefined
  /** Resume this session, and start nothing else. */
  sessionId?: string | undefined
  /** The decision, where it was made already. */
  led?: LedTo | undefined
}

/** Who holds a claim: what `renew` and `release` are about. */
export interface HeldRequest extends JobOf {
  id: string
  holder: string
  epoch: number
}

export interface ProgressRequest extends Omit<JobOf, 'userId'> {
  id: string
  /** Of a page: a session of another user is not found. */
  userId?: string | undefined
  holder: string
  epoch?: number | undefined
  reports: readonly Report[]
  page?: PageInfo | undefined
}

/** Claims, renewals, releases and progress, for the API and for pages. */
export class Sessions {
  readonly #services: Services
  readonly #handOut: HandOut
  readonly versions: Versions
  readonly runs: KnownRuns

  constructor(services: Services, decisions: Decisions) {
    this.#services = services
    this.#handOut = handOutOf(services, decisions)
    this.versions = new Versions(services.database)
    this.runs = new KnownRuns(services.database)
  }

  submit<Result>(environmentId: EnvironmentId, job: ChangeHistoryJob<Result>): Promise<Result> {
    return this.#services.commits.submit(this.work<Result>(), environmentId, job)
  }

  /** The result of a job depends on its kind. */
  work<Result>(): Work<ChangeHistoryJob<Result>, Result> {
    return this.#services.writes as Work<never, unknown> as Work<ChangeHistoryJob<Result>, Result>
  }

  async claim(environmentId: EnvironmentId, request: ClaimRequest, mayShow?: MayShow): Promise<Claim> {
    const job = await this.claimJob(environmentId, request)
    return await this.answerClaim(environmentId, await this.submit(environmentId, job), mayShow)
  }

  /** The version that is published now is claimed; the job refuses when that has changed meanwhile. */
  async claimJob(environmentId: EnvironmentId, request: ClaimRequest): Promise<ChangeHistoryJob<Claimed>> {
    const {
      content: name,
      groupId: named,
      holder,
      reason,
      once = false,
      sessionId,
      isPage,
      led: known,
      ...of
    } = request
    const subject = { userId: of.userId, groupId: named ?? undefined }
    const led = known ?? (await this.#handOut.decide(environmentId, name, subject))
    const version = led && (await this.versions.version(environmentId, led.versionId))
    if (!version) throw await this.#notPublished(environmentId, name)
    const { versionId, groupId: current, receipt, createdAt: decidedFor } = led
    if (request.versionId !== undefined && request.versionId !== versionId && sessionId === undefined)
      throw errors.gateClosed('version_changed', 'Another version of the content is published now. Decide again.')
    const groupId = isPage ? current : (named ?? current)
    const receiptJson = receiptTextOf(receipt, reason)
    return claimJob(of, { shape: version.shape, groupId, holder, reason, once, sessionId, receiptJson, decidedFor })
  }

  async #notPublished(environmentId: EnvironmentId, name: string): Promise<ApiError> {
    const content = await this.versions.content(environmentId, name)
    if (!content) return errors.notFound('Content', name)
    return errors.gateClosed('not_published', 'The content is not published.')
  }

  async answerClaim(environmentId: EnvironmentId, claimed: Claimed, mayShow?: MayShow): Promise<Claim> {
    const { claim, session, known } = claimed
    const { id, versionId, contentId, userId, groupId, epoch, sequence } = claim
    this.runs.remember(environmentId, id, claim)
    const version = await this.versions.version(environmentId, versionId)
    // Deleted since the claim.
    if (!version) throw errors.notFound('Content', contentId)
    const of = { userId, groupId, tasks: session?.tasks ?? [], known, mayShow }
    const [document, progress] = await Promise.all([
      this.#handOut.render(environmentId, version, of),
      session ? this.#progressOf(environmentId, session, mayShow !== undefined) : null,
    ])
    return {
      object: 'content_claim',
      ...{ id, content_id: contentId, version_id: versionId, epoch, sequence, lease_seconds: LEASE_SECONDS },
      ...{ document, progress },
    }
  }

  /** A page that is not verified is told the answers of its own browser: those of the epoch in which it holds the session. */
  async #progressOf(environmentId: EnvironmentId, session: SessionRow, isOwnOnly: boolean): Promise<SessionProgress> {
    const [stored = []] = await findAnswers(this.#services.database, ofOne(environmentId, [session.id]))
    const answers = isOwnOnly ? stored.filter(({ epoch }) => epoch === session.epoch) : stored
    return {
      step: session.step,
      completed: session.completedAt !== null,
      answers: Object.fromEntries(answers.map(({ question, value }) => [question, value])),
    }
  }

  async progress(environmentId: EnvironmentId, request: ProgressRequest): Promise<Progressed> {
    const progressed = await this.submit(environmentId, await this.progressJob(environmentId, request))
    this.countTargets(environmentId, progressed.tried)
    return progressed
  }

  /** For display: what a killed process has not stored yet is lost. */
  countTargets(environmentId: EnvironmentId, tried: readonly string[]): void {
    for (const name of tried) this.#services.counters.of(environmentId).add('target', name)
  }

  async progressJob(environmentId: EnvironmentId, request: ProgressRequest): Promise<ChangeHistoryJob<Progressed>> {
    const { id, userId, holder, epoch, reports, page, ...of } = request
    const run = await this.runs.find(environmentId, id)
    const isOwn = run && (userId === undefined || run.userId === userId)
    const version = isOwn && (await this.versions.version(environmentId, run.versionId))
    if (!version) throw errors.notFound('Content session', id)
    return progressJob({ ...of, userId: run.userId }, { id, holder, epoch, reports, page }, version.shape)
  }

  async renew(environmentId: EnvironmentId, { id, holder, epoch, ...of }: HeldRequest): Promise<RenewAnswer> {
    const run = await this.runs.find(environmentId, id)
    const version = run && (await this.versions.version(environmentId, run.versionId))
    return await this.submit(environmentId, renewJob(of, { id, holder, epoch }, version?.shape.contentId))
  }

  async release(environmentId: EnvironmentId, { id, holder, epoch, ...of }: HeldRequest): Promise<void> {
    await this.submit(environmentId, releaseJob(of, { id, holder, epoch }))
  }
}
