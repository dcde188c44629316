import { publishingProblems } from '../../contract/content/publishing.ts'
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
}

export interface Pushed {
  key: string
  content: ContentRow
}

/** Saves, and publishes if wanted, many documents in one transaction: all of them or none. */
export const pushContents = contentWork(
  async (change, { items, publish }: PushJob): Promise<Pushed[] | ApiError> => {
    const refused = await refusal(change, items, publish)
    if (refused) return refused
    const pushed: Pushed[] = []
    for (const item of items) {
      const saved = must(await saveDocument(change, item))
      const content = publish ? must(await publishOne(change, saved.content)) : saved.content
      pushed.push({ key: item.document.key, content })
    }
    return pushed
  },
  ({ publish }) => publish,
)

/** Everything is checked before anything is written: what is returned here rolls nothing back. */
async function refusal(change: Change, items: readonly SaveJob[], publish: boolean): Promise<ApiError | undefined> {
  const { db, environmentId } = change
  const found = await Promise.all(items.map(({ document }) => findContentByKey(db, environmentId, document.key)))
  for (const [index, { document, expectedDraft }] of items.entries()) {
    const content = found[index]
    if (!content && expectedDraft !== undefined && expectedDraft !== 'new')
      return errors.draftChanged(`There is no content \`${document.key}\` any more.`)
    if (content && content.type !== document.type)
      return errors.invalidParams([`documents[${index}].type: the content \`${content.key}\` is a ${content.type}`])
    const draft = content && (await findVersion(db, environmentId, content.draft_version_id))
    const conflict = draft && draftConflict(draft as VersionRow, expectedDraft)
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

/** Documents of one push may refer to each other. */
async function publishRefusal({ db, environmentId }: Change, items: readonly SaveJob[]): Promise<ApiError | undefined> {
  const known = await findSurroundings(db, environmentId)
  const content = new Set([...known.content, ...items.map(({ document }) => document.key)])
  const problems = items.flatMap(({ document }, index) =>
    publishingProblems(document, { ...known, content }).map(({ path, message }) => ({
      param: `documents[${index}]${path === '' ? '' : `.${path}`}`,
      message,
    })),
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
