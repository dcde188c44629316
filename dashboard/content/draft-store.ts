import type { ContentDocument } from '../../contract/content/document.ts'
import { ApiError, call, mayPass } from '../api.ts'
import { type KeptDraft, KeptDrafts } from './kept-drafts.ts'
import type { ContentDetail, ContentState, Problem } from './queries.ts'
import { type Changes, noChanges, redone, undone, withChange } from './undo.ts'

/** What somebody else has saved meanwhile. */
export interface Conflict extends Pick<DraftState, 'document' | 'revision' | 'number' | 'problems' | 'state'> {
  by: string | null
  at: string
}

export type Saved = Pick<ContentDetail, 'draft' | 'state'>

export interface DraftState {
  document: ContentDocument
  /** Of the draft that the document was made from. */
  revision: string
  number: number
  problems: readonly Problem[]
  state: ContentState
  /**
   * `waiting`: changed, and not sent yet. `offline`: it could not be sent, and is tried again. `deleted`: somebody else
   * deleted the content, and this browser alone has the draft.
   */
  saving: 'saved' | 'waiting' | 'saving' | 'offline' | 'conflict' | 'deleted' | 'refused'
  savedAt: number | undefined
  problem: string | undefined
  conflict: Conflict | undefined
  changes: Changes<ContentDocument>
  /** Rows of conditions that lack something. They are in no document, so that only this browser knows of them. */
  unfinishedRows: number
}

const REST_MS = 600
const RETRY_MS = 3000

/**
 * The draft that is being edited: saved 600 ms after the last change, with the revision that it was made from, so that nothing
 * of somebody else is overwritten unseen. What is not saved yet is kept in the browser.
 */
export class DraftStore {
  readonly #environment: string
  readonly #id: string
  readonly #onSaved: (saved: Saved) => void
  readonly #kept: KeptDrafts
  readonly #listeners = new Set<() => void>()
  #state: DraftState
  /** The document as the server had it at the revision of the draft. */
  #saved: ContentDocument
  /** What was sent since then. One of them may be what the server has now. */
  #sent: ContentDocument[] = []
  #closing = new AbortController()
  #timer: ReturnType<typeof setTimeout> | undefined
  #isSending = false
  readonly #unfinished = new Map<string, number>()

  /** `onSaved` is told what the server has from now on, also after `close`: what was typed last is sent then. */
  constructor(environment: string, detail: ContentDetail, onSaved: (saved: Saved) => void) {
    this.#environment = environment
    this.#onSaved = onSaved
    this.#id = detail.id
    this.#saved = detail.draft.document
    this.#state = loaded(detail)
    this.#kept = new KeptDrafts(detail.id)
    const kept = this.#kept.own()
    if (kept) this.#take(kept)
  }

  /** From now on, what tabs that are closed have left is taken over. */
  open(): void {
    this.#closing = new AbortController()
    const { signal } = this.#closing
    void this.#kept.takeLeft((left) => this.#takeLeft(left, signal), signal)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly read = (): DraftState => this.#state

  /** `name` says what it does: "delete step 5". With `field`, what is typed in one go is one step of undo. */
  edit(name: string, change: (document: ContentDocument) => ContentDocument, field?: string): void {
    const { document, changes } = this.#state
    const after = change(document)
    if (after === document) return
    this.#show(after, withChange(changes, { name, before: document, after, field, at: Date.now() }))
  }

  undo(): string | undefined {
    const back = undone(this.#state.changes)
    if (back) this.#show(back.value, back.changes)
    return back?.changes.future.at(-1)?.name
  }

  redo(): string | undefined {
    const again = redone(this.#state.changes)
    if (again) this.#show(again.value, again.changes)
    return again?.changes.past.at(-1)?.name
  }

  /** A builder tells how many of its rows are not finished. Until none is, nothing is published. */
  readonly noteUnfinished = (builder: string, rows: number): void => {
    this.#unfinished.set(builder, rows)
    this.#put({ unfinishedRows: [...this.#unfinished.values()].reduce((sum, each) => sum + each, 0) })
  }

  /** Saves now: a field was left, or the page is. */
  flush(): void {
    if (this.#state.saving === 'waiting') this.#schedule(0)
  }

  /** Resolves when nothing waits to be sent any more: it is saved, or it cannot be. */
  async settle(): Promise<void> {
    this.flush()
    while (this.#state.saving === 'waiting' || this.#state.saving === 'saving') await this.#change()
  }

  /** What this browser has replaces what somebody else saved. */
  keepMine(): void {
    const { conflict } = this.#state
    if (!conflict) return
    this.#put({ conflict: undefined, revision: conflict.revision, saving: 'waiting' })
    this.#schedule(0)
  }

  /** What somebody else saved replaces what this browser has; undo brings it back. */
  takeTheirs(): void {
    const { conflict, document: before, changes } = this.#state
    if (!conflict) return
    const { by: _, at: __, ...theirs } = conflict
    const change = { name: 'take the other draft', before, after: theirs.document, field: undefined, at: 0 }
    this.#saved = theirs.document
    this.#put({ ...theirs, changes: withChange(changes, change), conflict: undefined, saving: 'saved' })
    this.#kept.forget()
  }

  /** What this browser has becomes a content of its own, since the one that it was the draft of is deleted. */
  async saveAsNew(): Promise<string> {
    const { id } = await call('createContent', { environment: this.#environment, document: this.#state.document })
    this.#kept.forget()
    this.#put({ saving: 'saved' })
    return id
  }

  /** The server has something newer, and nothing of this browser waits. */
  adopt(detail: ContentDetail): void {
    if (this.#state.saving !== 'saved') return
    const order = compareRevisions(detail.draft.revision, this.#state.revision)
    // An answer that was under way while this browser saved is older than what it shows.
    if (order < 0) return
    if (order === 0) {
      this.#put({ state: detail.state, problems: detail.draft.problems })
      return
    }
    this.#saved = detail.draft.document
    // Undo puts back a whole document: what was changed before would take the newer one away unseen.
    this.#put({ ...loaded(detail), savedAt: this.#state.savedAt, unfinishedRows: this.#state.unfinishedRows })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#closing.abort()
    if (this.#state.saving === 'waiting') void this.#send()
    // Who waits for a change learns that none comes.
    this.#put({})
  }

  /** Resolves when the state was changed. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.subscribe(() => {
        stop()
        resolve()
      })
    })
  }

  /** One after the other, and not while something of this tab waits. The server says if they differ, and the member chooses. */
  async #takeLeft(left: KeptDraft, signal: AbortSignal): Promise<boolean> {
    while (this.#state.saving !== 'saved' && !signal.aborted) await this.#change()
    if (!signal.aborted) this.#take(left)
    return !signal.aborted
  }

  #take(kept: KeptDraft): void {
    const { document: before, changes } = this.#state
    const { document, revision, base, sent } = kept
    if (JSON.stringify(document) === JSON.stringify(before)) return
    this.#saved = base ?? this.#saved
    this.#sent = sent ? [sent] : []
    const change = { name: 'take the draft that was kept', before, after: document, field: undefined, at: 0 }
    this.#put({ document, revision, changes: withChange(changes, change), saving: 'waiting' })
    this.#kept.keep(kept)
    this.#schedule(0)
  }

  #show(document: ContentDocument, changes: Changes<ContentDocument>): void {
    const { saving } = this.#state
    const waitsForChoice = saving === 'conflict' || saving === 'deleted'
    this.#put({ document, changes, saving: waitsForChoice ? saving : 'waiting', problem: undefined })
    this.#keep()
    if (!waitsForChoice) this.#schedule(REST_MS)
  }

  #keep(): void {
    const { document, revision } = this.#state
    const [sent] = this.#sent
    this.#kept.keep({ document, revision, base: this.#saved, ...(sent && { sent }) })
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#send(), ms)
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#state.saving === 'conflict') return
    const { document, revision } = this.#state
    this.#isSending = true
    if (this.#sent.at(-1) !== document) this.#sent.push(document)
    this.#put({ saving: 'saving' })
    try {
      const given = { environment: this.#environment, content_id: this.#id, document, expected_draft: revision }
      this.#accept(document, await call('saveDraft', given))
    } catch (error) {
      await this.#fail(error as Error, document)
    } finally {
      this.#isSending = false
      if (this.#state.saving === 'waiting') this.#schedule(REST_MS)
    }
  }

  #accept(document: ContentDocument, saved: Saved): void {
    const isAll = this.#state.document === document
    const { revision, number, problems } = saved.draft
    this.#saved = document
    this.#sent = []
    const saving = isAll ? 'saved' : 'waiting'
    this.#put({ revision, number, problems, state: saved.state, saving, savedAt: Date.now(), problem: undefined })
    if (isAll) this.#kept.forget()
    else this.#keep()
    this.#onSaved(saved)
  }

  async #fail(error: Error, sent: ContentDocument): Promise<void> {
    if (error instanceof ApiError && error.code === 'draft_changed') return await this.#readOther()
    if (error instanceof ApiError && error.status === 404) return this.#put({ saving: 'deleted' })
    const isFinal = !mayPass(error)
    // What was changed since is another document: it may not be refused.
    const refused = this.#state.document === sent ? 'refused' : 'waiting'
    this.#put({ saving: isFinal ? refused : 'offline', problem: error.message })
    if (!isFinal) this.#schedule(RETRY_MS)
  }

  async #readOther(): Promise<void> {
    try {
      const { draft, state } = await call('getContent', { environment: this.#environment, content_id: this.#id })
      const { edited_by: by, edited_at: at, revision, number, problems, document } = draft
      const text = JSON.stringify(document)
      // A save whose answer was lost, perhaps.
      const own = [this.#state.document, ...this.#sent].find((one) => JSON.stringify(one) === text)
      if (own) return this.#accept(own, { draft, state })
      this.#sent = []
      this.#put({ saving: 'conflict', conflict: { by, at, document, revision, number, problems, state } })
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return this.#put({ saving: 'deleted' })
      this.#put({ saving: 'offline' })
      this.#schedule(RETRY_MS)
    }
  }

  #put(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** The document as the server had it at the revision of the draft. */
  get saved(): ContentDocument {
    return this.#saved
  }
}

/** `3.12` is the twelfth save of the third version. */
function compareRevisions(first: string, second: string): number {
  const [a = 0, b = 0] = first.split('.').map(Number)
  const [c = 0, d = 0] = second.split('.').map(Number)
  return a - c || b - d
}

function loaded({ draft, state }: ContentDetail): DraftState {
  const { document, revision, number, problems } = draft
  return {
    ...{ document, revision, number, problems, state },
    saving: 'saved',
    savedAt: undefined,
    problem: undefined,
    conflict: undefined,
    changes: noChanges,
    unfinishedRows: 0,
  }
}
