import { differenceTexts, isEqual } from '../../contract/content/differences.ts'
import type { ContentDocument } from '../../contract/content/document.ts'
import { limits } from '../../contract/limits.ts'
import { freeKey } from '../../contract/names.ts'
import type { Actor } from '../audit/record.ts'
import { insertInternalDefinitions } from '../definitions/queries.ts'
import { type ApiError, errors } from '../errors.ts'
import { type Change, contentWork } from './change.ts'
import { isInSpan } from './editing-span.ts'
import { countContent, findContentByKey, findContentKeys, insertContent, updateDraftOf } from './queries.ts'
import type { ContentRow, VersionRow } from './rows.ts'
import { findVersion, insertVersion, lastNumberOf, updateDraft } from './version-queries.ts'

export interface SaveJob {
  /** Checked by `documentProblems`. */
  document: ContentDocument
  /** The revision of the draft that it was made from, or `new`. */
  expectedDraft: string | undefined
  /** The content that it is of. Another one with its key, which was made after this one was deleted, is not changed. */
  contentId?: string
  /** The document was not made from the draft, though its revision is expected: it comes from a folder. */
  isFromElsewhere?: boolean
}

/** A content with its draft. */
export interface DraftOf {
  content: ContentRow
  draft: VersionRow
  /** The save has created it. */
  isNew: boolean
}

/** What `expected_draft` names. */
export function revisionOf({ number, revision }: Pick<VersionRow, 'number' | 'revision'>): string {
  return `${number}.${revision}`
}

/** Stores a document as the draft of the content with its key. The same document again changes nothing. */
export const saveContents = contentWork(saveDocument)

/** Stores a document as new content, under a key that is free in this transaction: its own, or the next one. */
export const createContents = contentWork(async (change, { document }: Pick<SaveJob, 'document'>) => {
  const refusal = await change.refusal(false)
  if (refusal) return refusal
  const key = freeKey(document.key, await findContentKeys(change.db, change.environmentId))
  return await create(change, { document: { ...document, key }, expectedDraft: 'new' })
})

export async function saveDocument(change: Change, job: SaveJob): Promise<DraftOf | ApiError> {
  const { db, environmentId } = change
  const refusal = await change.refusal(false)
  if (refusal) return refusal
  const content = await findContentByKey(db, environmentId, job.document.key)
  if (job.contentId !== undefined && content?.id !== job.contentId) return contentGone(job.document)
  if (!content) return await create(change, job)
  const draft = (await findVersion(db, environmentId, content.draft_version_id)) as VersionRow
  if (content.type !== job.document.type)
    return errors.invalidParams([`type: is ${job.document.type}, and the content with this key is a ${content.type}`])
  const conflict = draftConflict(draft, job.expectedDraft)
  if (conflict) return conflict
  const before = JSON.parse(draft.document) as ContentDocument
  if (isEqual(before, job.document)) return { content, draft, isNew: false }
  const saved = staysAsVersion(change, draft, job) ? await branch(change, draft, job) : await edit(change, draft, job)
  const { name } = job.document
  await updateDraftOf(db, environmentId, content.id, name, saved.id)
  if (!(await isInSpan(change, content.id))) {
    const changes = notedChanges(before, job.document)
    await change.note('content.saved', { id: content.id, name }, { after: { draft: revisionOf(saved), changes } })
  }
  return { content: { ...content, name, draft_version_id: saved.id }, draft: saved, isNew: false }
}

/** A version that was published never changes, nor does the draft of somebody else that the writer has not seen. */
function staysAsVersion({ origin }: Pick<Change, 'origin'>, draft: VersionRow, job: SaveJob): boolean {
  const isUnseen = job.isFromElsewhere || job.expectedDraft === undefined
  return draft.published_at !== null || (isUnseen && !isEditor(draft, origin.actor))
}

/** By id and name: a server of an earlier version that edits it changes the name alone. */
function isEditor({ edited_by, edited_by_id }: VersionRow, actor: Actor): boolean {
  const editor = editorOf(actor)
  return edited_by === editor.edited_by && (edited_by_id === null || edited_by_id === editor.edited_by_id)
}

const editorOf = ({ kind, id, name }: Actor) => ({
  edited_by: name,
  edited_by_id: id === null ? kind : `${kind} ${id}`,
})

/** The changes that an entry of the audit log names. */
export const notedChanges = (before: ContentDocument | undefined, after: ContentDocument): string[] =>
  differenceTexts(before, after).slice(0, 20)

/** The error when the draft is not the one that the caller knows. */
export function draftConflict(draft: VersionRow, expected: string | undefined, key?: string): ApiError | undefined {
  const current = revisionOf(draft)
  if (expected === undefined || expected === current) return undefined
  const named = key === undefined ? '' : ` \`${key}\``
  if (expected === 'new') return errors.draftChanged(`The content${named} exists already: its draft is ${current}.`)
  const who = draft.edited_by === null ? 'it was changed' : `${draft.edited_by} changed it`
  const of = key === undefined ? '' : ` of${named}`
  return errors.draftChanged(
    `The draft${of} is ${current} now, not ${expected.slice(0, 50)}: ${who} at ${draft.edited_at}.`,
  )
}

const contentGone = ({ key }: ContentDocument) => errors.draftChanged(`There is no content \`${key}\` any more.`)

async function create(change: Change, { document, expectedDraft }: SaveJob): Promise<DraftOf | ApiError> {
  const { db, environmentId, at } = change
  if (expectedDraft !== undefined && expectedDraft !== 'new') return contentGone(document)
  if ((await countContent(db, environmentId)).all >= limits.contentPerEnvironment)
    return errors.invalidParams([
      `key: an environment has at most ${limits.contentPerEnvironment} contents; delete one`,
    ])
  const draft = newVersion(change, change.newId(), 1, document)
  const { key, type, name } = document
  const none = { published_version_id: null, published_at: null, counts_from: null, address: null }
  const content = { id: draft.content_id, key, type, name, draft_version_id: draft.id, ...none, created_at: at }
  await Promise.all([
    insertContent(db, environmentId, content),
    insertVersion(db, environmentId, draft),
    insertInternalDefinitions(db, environmentId, content.created_at),
  ])
  await change.note('content.created', { id: content.id, name }, { after: { key, type } })
  return { content, draft, isNew: true }
}

function newVersion(change: Change, contentId: string, number: number, document: ContentDocument): VersionRow {
  const { at, origin } = change
  return {
    id: change.newId(),
    content_id: contentId,
    number,
    document: JSON.stringify(document),
    description: '',
    revision: 1,
    edited_at: at,
    ...editorOf(origin.actor),
    created_at: at,
    published_at: null,
  }
}

async function edit(change: Change, draft: VersionRow, { document }: SaveJob): Promise<VersionRow> {
  const { db, environmentId, at, origin } = change
  const text = JSON.stringify(document)
  const row = { ...draft, document: text, revision: draft.revision + 1, edited_at: at, ...editorOf(origin.actor) }
  await updateDraft(db, environmentId, row)
  return row
}

/** The draft stays as it is: the edit begins the next version. */
async function branch(change: Change, draft: VersionRow, { document }: SaveJob): Promise<VersionRow> {
  const { db, environmentId } = change
  const number = (await lastNumberOf(db, environmentId, draft.content_id)) + 1
  const row = newVersion(change, draft.content_id, number, document)
  await insertVersion(db, environmentId, row)
  return row
}
