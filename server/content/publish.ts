import type { DocumentProblem } from '../../contract/content/check.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { draftBlockers, type Surroundings } from '../../contract/content/publishing.ts'
import { limits } from '../../contract/limits.ts'
import type { InsideChoice } from '../../contract/requests/content.ts'
import { isoTime } from '../clock.ts'
import { SET_MS } from '../database/clock.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { type ApiError, errors } from '../errors.ts'
import { readClock } from '../history/guidance.ts'
import { segmentsOf, storeContentUses } from '../segments/uses.ts'
import { type Change, contentWork } from './change.ts'
import {
  type Boundaries,
  countContent,
  deleteContent,
  findContent,
  findLastStart,
  updateDraftOf,
  updatePublished,
} from './queries.ts'
import { paramOf } from './refuse.ts'
import type { ContentRow, VersionRow } from './rows.ts'
import { draftConflict, notedChanges } from './save.ts'
import { findSurroundings } from './surroundings.ts'
import { findVersion, findVersionByNumber, freezeVersion } from './version-queries.ts'

export interface PublishJob {
  contentId: string
  expectedDraft: string | undefined
  /** The number of an older version; the draft unless given. */
  version: number | undefined
  inside: InsideChoice
  description: string | undefined
}

/** Lets users see a version with the next decision. */
export const publishContents = contentWork(publishVersion, () => true)

export async function publishVersion(change: Change, job: PublishJob): Promise<ContentRow | ApiError> {
  const { db, environmentId, at } = change
  const refusal = await change.refusal()
  if (refusal) return refusal
  const found = await versionToPublish(change, job)
  if (!('version' in found)) return found
  const { content, version } = found
  const document = JSON.parse(version.document) as ContentDocument
  const known = await findSurroundings(db, environmentId)
  const problems = await findBlockers(db, environmentId, content, document, known)
  if (problems.length > 0) return errors.invalidParams(problems.map(paramOf))
  const draft = content.draft_version_id === content.published_version_id ? version.id : content.draft_version_id
  const boundaries = boundariesOf(job.inside, await boundaryOf(change, content.id))
  await freezeVersion(db, environmentId, version.id, at, job.description ?? null)
  // An older version that becomes the draft brings its name.
  const name = draft === version.id ? document.name : content.name
  await updatePublished(db, environmentId, content.id, { draft, published: version.id }, at, boundaries)
  await updateDraftOf(db, environmentId, content.id, name, draft)
  await storeContentUses(db, environmentId, content.key, segmentsOf(document))
  await change.raise()
  const changes = notedChanges(await publishedDocument(change, content), document)
  const after = { version: version.number, inside: job.inside, changes }
  await change.note('content.published', { id: content.id, name }, { after })
  const published_at = content.published_at ?? at
  return { ...content, name, draft_version_id: draft, published_version_id: version.id, published_at }
}

async function publishedDocument({ db, environmentId }: Change, { published_version_id: id }: ContentRow) {
  const version = id === null ? undefined : await findVersion(db, environmentId, id)
  return version && (JSON.parse(version.document) as ContentDocument)
}

/** The content with its draft, and the version that would be published. The content may be deleted meanwhile. */
export async function versionToPublish(
  { db, environmentId }: Pick<Change, 'environmentId'> & { db: Queryable },
  { contentId, expectedDraft, version: number }: Pick<PublishJob, 'contentId' | 'expectedDraft' | 'version'>,
): Promise<{ content: ContentRow; draft: VersionRow; version: VersionRow } | ApiError> {
  const content = await findContent(db, environmentId, contentId)
  const draft = content && (await findVersion(db, environmentId, content.draft_version_id))
  if (!draft) return errors.notFound('Content', contentId)
  const conflict = draftConflict(draft, expectedDraft)
  if (conflict) return conflict
  const version = number === undefined ? draft : await findVersionByNumber(db, environmentId, contentId, number)
  return version ? { content, draft, version } : errors.invalidParams([`version: there is no version ${number}`])
}

/** Everything that keeps a document from being published as this content. */
export async function findBlockers(
  db: Queryable,
  environmentId: EnvironmentId,
  content: ContentRow,
  document: ContentDocument,
  known: Surroundings,
): Promise<DocumentProblem[]> {
  const problems = draftBlockers(document, known)
  const isNew = content.published_version_id === null
  if (isNew && (await countContent(db, environmentId)).published >= limits.publishedPerEnvironment)
    problems.push({
      path: '',
      message: `an environment has at most ${limits.publishedPerEnvironment} published contents; unpublish one`,
    })
  return problems
}

/**
 * The time of a publication for what has started, by the clock of the database. It is later than all of that: the creation of
 * a session is by the order of commits, which can be ahead of the clock. What is further ahead is of a clock that was wrong.
 */
async function boundaryOf({ db, environmentId }: Change, contentId: string): Promise<string> {
  const now = await readClock(db)
  return isoTime(Math.max(now, await findLastStart(db, environmentId, contentId, now + SET_MS)) + 1)
}

/** What happens to users who are inside of the version before. */
function boundariesOf(inside: InsideChoice, at: string): Boundaries {
  return {
    endsBefore: inside === 'finish' ? null : at,
    restartsBefore: inside === 'restart' ? at : null,
    countsFrom: inside === 'restart_all' ? at : null,
  }
}

/** Shows it to nobody any more. Sessions that are open end. */
export const unpublishContents = contentWork(
  async (change, contentId: string): Promise<ContentRow | ApiError> => {
    const { db, environmentId } = change
    const refusal = await change.refusal()
    if (refusal) return refusal
    const content = await findContent(db, environmentId, contentId)
    if (!content) return errors.notFound('Content', contentId)
    if (content.published_version_id === null) return content
    const boundaries = { endsBefore: await boundaryOf(change, contentId), restartsBefore: null, countsFrom: null }
    const versions = { draft: content.draft_version_id, published: null }
    await updatePublished(db, environmentId, contentId, versions, null, boundaries)
    await storeContentUses(db, environmentId, content.key, new Set())
    await change.raise()
    await change.note('content.unpublished', { id: contentId, name: content.name })
    return { ...content, published_version_id: null, published_at: null }
  },
  () => true,
)

/** Answers the same when there is no such content. */
export const deleteContents = contentWork(
  async (change, contentId: string): Promise<true | ApiError> => {
    const { db, environmentId } = change
    const content = await findContent(db, environmentId, contentId)
    if (!content) return true
    const refusal = await change.refusal(await wasPublished(change, content))
    if (refusal) return refusal
    await deleteContent(db, environmentId, contentId, change.at)
    await storeContentUses(db, environmentId, content.key, new Set())
    await change.raise()
    const { key, type, name } = content
    await change.note('content.deleted', { id: contentId, name }, { before: { key, type } })
    return true
  },
  () => true,
)

/** A draft that nobody has seen is its writer's. */
async function wasPublished({ db, environmentId }: Change, content: ContentRow): Promise<boolean> {
  if (content.published_version_id !== null) return true
  const draft = (await findVersion(db, environmentId, content.draft_version_id)) as VersionRow
  return draft.number > 1 || draft.published_at !== null
}
