import type { DocumentProblem } from '../../contract/content/check.ts'
import { differenceTexts } from '../../contract/content/differences.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { publishingProblems, publishingWarnings } from '../../contract/content/publishing.ts'
import { type PublishJob, versionToPublish } from '../content/publish.ts'
import { type Changed, reachOf } from '../content/reach.ts'
import { countInside, type ReachRequest } from '../content/reach-queries.ts'
import type { ContentRow, VersionRow } from '../content/rows.ts'
import { revisionOf } from '../content/save.ts'
import { findSurroundings } from '../content/surroundings.ts'
import { findVersion } from '../content/version-queries.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { ApiError } from '../errors.ts'
import { findSegments, segmentLookup } from '../segments/queries.ts'
import type { Decisions } from './decisions.ts'

export type PlanCall = Pick<PublishJob, 'contentId' | 'expectedDraft' | 'version'>

/** What publishing would do. It changes nothing. */
export async function publishPlan(
  { database, decisions }: { database: Database; decisions: Decisions },
  environmentId: EnvironmentId,
  call: PlanCall,
  signal?: AbortSignal,
): Promise<object> {
  const found = await versionToPublish({ db: database, environmentId }, call)
  if (found instanceof ApiError) throw found
  const { content, version } = found
  const document = JSON.parse(version.document) as ContentDocument
  const published = await publishedDocument(database, environmentId, content)
  const [known, segments, inside, draft] = await Promise.all([
    findSurroundings(database, environmentId),
    findSegments(database, environmentId),
    countInside(database, environmentId, content.id),
    findVersion(database, environmentId, content.draft_version_id),
  ])
  const request = { environmentId, before: whoOf(published), after: whoOf(document), now: Date.now() }
  const reach = await reachOf(database, { ...request, segments: segmentLookup(segments) }, { signal })
  const shown = (changed: Changed) => withSentences(decisions, environmentId, content, version, changed)
  const nobody = await matchesNobody(database, { ...request, segments: segmentLookup(segments) }, signal)
  return {
    object: 'publish_plan',
    changes: differenceTexts(published, document),
    content_id: content.id,
    expected_draft: revisionOf(draft as VersionRow),
    gains: await shown(reach.gains),
    inside,
    losses: await shown(reach.losses),
    problems: publishingProblems(document, known).map(paramOf),
    warnings: [...publishingWarnings(document, known), ...(nobody ? [NOBODY] : [])].map(paramOf),
  }
}

const NOBODY = { path: 'who', message: 'nobody matches now' }

const paramOf = ({ path, message }: DocumentProblem) => ({ param: path, message })

async function publishedDocument(
  database: Database,
  environmentId: EnvironmentId,
  { published_version_id: id }: ContentRow,
): Promise<ContentDocument | undefined> {
  const version = id === null ? undefined : await findVersion(database, environmentId, id)
  return version && (JSON.parse(version.document) as ContentDocument)
}

function whoOf(document: ContentDocument | undefined): ReachRequest['before'] {
  return document ? (document.who ?? 'everybody') : 'nobody'
}

async function matchesNobody(database: Database, request: ReachRequest, signal: AbortSignal | undefined) {
  if (typeof request.after === 'string') return false
  const { gains } = await reachOf(database, { ...request, before: 'nobody' }, { signal, mostMs: 1_000 })
  return gains.exact && gains.count === 0
}

async function withSentences(
  decisions: Decisions,
  environmentId: EnvironmentId,
  { id, key, type }: ContentRow,
  version: VersionRow,
  { count, exact, users }: Changed,
): Promise<object> {
  const source = {
    id,
    key,
    type,
    versionId: version.id,
    publishedAt: null,
    isPublished: true,
    document: version.document,
  }
  const receipts = await Promise.all(users.map((userId) => decisions.explain(environmentId, { userId }, source)))
  const samples = users.map((user_id, index) => ({ user_id, sentence: receipts[index]?.sentence }))
  return { count, exact, samples }
}
