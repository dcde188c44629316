import type { ContentDocument } from '../../contract/content/document.ts'
import { publishingProblems, type Surroundings } from '../../contract/content/publishing.ts'
import { limits } from '../../contract/limits.ts'
import { type ApiError, errors } from '../errors.ts'
import { type Change, contentWork } from './change.ts'
import { publishVersion } from './publish.ts'
import { countContent, findContentByKey } from './queries.ts'
import type { ContentRow, VersionRow } from './rows.ts'
import { draftConflict, type SaveJob, saveDocument } from './save.ts'
import { findSurroundings } from './surroundings.ts'
import { findVersion } from './version-queries.ts'

export interface PushJob {
  items: readonly SaveJob[]
  /** Also publish each. */
  publish: boolean
  /** Only find out whether it would be refused. */
  isDryRun: boolean
}

/** A draft of somebody else that was not published: a push does not overwrite it, and it stays as this version. */
export interface KeptDraft {
  key: string
  version: number
  edited_by: string | null
  edited_at: string
}

export interface Pushed {
  content: ContentRow[]
  kept: KeptDraft[]
}

/** Saves, and publishes if wanted, many documents in one transaction: all of them or none. */
export const pushContents = contentWork(
  async (change, { items, publish, isDryRun }: PushJob): Promise<Pushed | ApiError> => {
    const pushed: Pushed = { content: [], kept: [] }
    const refused = await refusal(change, items, publish)
    if (refused || isDryRun) return refused ?? pushed
    for (const item of items) {
      const { content, kept } = must(await saveOne(change, item))
      pushed.content.push(publish ? must(await publishOne(change, content)) : content)
      pushed.kept.push(...kept)
    }
    return pushed
  },
  ({ publish, isDryRun }) => publish && !isDryRun,
)

async function saveOne(change: Change, item: SaveJob): Promise<{ content: ContentRow; kept: KeptDraft[] } | ApiError> {
  const { db, environmentId } = change
  const { key } = item.document
  const before = await findContentByKey(db, environmentId, key)
  const draft = before && (await findVersion(db, environmentId, before.draft_version_id))
  const saved = await saveDocument(change, { ...item, isFromElsewhere: true })
  if (saved instanceof Error) return saved
  const isKept = draft && draft.published_at === null && draft.id !== saved.draft.id
  const { number: version, edited_by, edited_at } = draft ?? saved.draft
  return { content: saved.content, kept: isKept ? [{ key, version, edited_by, edited_at }] : [] }
}

/** Everything is checked before anything is written: what is returned here rolls nothing back. */
async function refusal(change: Change, items: readonly SaveJob[], publish: boolean): Promise<ApiError | undefined> {
  const { db, environmentId } = change
  const found = await Promise.all(items.map(({ document }) => findContentByKey(db, environmentId, document.key)))
  for (const [index, { document, expectedDraft }] of items.entries()) {
    const content = found[index]
    if (!content && expectedDraft !== undefined && expectedDraft !== 'new')
      return errors.draftChanged(`There is no content \`${document.key}\` any more.`)
    if (content && content.type !== document.type)
      return errors.invalidParams([`${placeOf(index)}.type: the content \`${content.key}\` is a ${content.type}`])
    const draft = content && (await findVersion(db, environmentId, content.draft_version_id))
    const conflict = draft && draftConflict(draft as VersionRow, expectedDraft, document.key)
    if (conflict) return conflict
  }
  const counts = await countContent(db, environmentId)
  const created = found.filter((content) => !content).length
  const opened = publish ? found.filter((content) => !content?.published_version_id).length : 0
  if (counts.all + created > limits.contentPerEnvironment)
    return errors.invalidParams([`documents: an environment has at most ${limits.contentPerEnvironment} contents`])
  if (counts.published + opened > limits.publishedPerEnvironment)
    return errors.invalidParams([
      `documents: an environment has at most ${limits.publishedPerEnvironment} published contents`,
    ])
  return publish ? await publishRefusal(change, items) : undefined
}

/** A place in a document of a push. */
export const placeOf = (index: number, path = '') => `documents[${index}].document${path === '' ? '' : `.${path}`}`

/** Documents of one push may refer to each other. */
export function withPushed(known: Surroundings, documents: readonly ContentDocument[]): Surroundings {
  return { ...known, content: new Set([...known.content, ...documents.map(({ key }) => key)]) }
}

async function publishRefusal({ db, environmentId }: Change, items: readonly SaveJob[]): Promise<ApiError | undefined> {
  const documents = items.map(({ document }) => document)
  const known = withPushed(await findSurroundings(db, environmentId), documents)
  const problems = documents.flatMap((document, index) =>
    publishingProblems(document, known).map(({ path, message }) => ({ param: placeOf(index, path), message })),
  )
  return problems.length === 0 ? undefined : errors.invalidParams(problems)
}

/** A version that is published already stays as it is. */
async function publishOne(change: Change, content: ContentRow): Promise<ContentRow | ApiError> {
  if (content.published_version_id === content.draft_version_id) return content
  const job = { contentId: content.id, expectedDraft: undefined, version: undefined, description: undefined }
  return await publishVersion(change, { ...job, inside: 'finish' })
}

/** What was checked before cannot fail: if it does, the whole transaction fails. */
function must<T extends object>(result: T | ApiError): T {
  if (result instanceof Error) throw result
  return result
}
