import type { ContentDocument } from '../../contract/content/document.ts'

/** A draft that the server does not have yet, and the revision that it was made from. */
export interface KeptDraft {
  document: ContentDocument
  revision: string
  /** What the server had at this revision. Earlier versions did not keep it. */
  base?: ContentDocument
  /** What was sent first since then. The server may have it: the answer did not come. */
  sent?: ContentDocument
}

/** Where drafts are kept. `page` is this page of the browser: its places and locks have its name. */
export interface Keeping {
  page: string
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  /** Missing where the address is neither HTTPS nor local. */
  locks: Pick<LockManager, 'request'> | undefined
}

const page = crypto.getRandomValues(new Uint32Array(2)).join('-')

/**
 * What this page keeps of a content. Each page of the browser has a place of its own, so that two tabs do not overwrite each
 * other, and a lock of the name of its place: the browser frees it when the page is gone, and another page takes the draft over.
 */
export class KeptDrafts {
  readonly #of: string
  readonly #place: string
  readonly #storage: Keeping['storage']
  readonly #locks: Keeping['locks']
  #isLocked = false

  constructor(contentId: string, keeping: Keeping = { page, storage: localStorage, locks: navigator.locks }) {
    this.#of = `draft:${contentId}`
    this.#place = `${this.#of}:${keeping.page}`
    this.#storage = keeping.storage
    this.#locks = keeping.locks
  }

  /** What this page itself has kept, when the content was open in it before. */
  own(): KeptDraft | undefined {
    return this.#read(this.#place)
  }

  /** A full or closed storage is no failure: it is the second place. */
  keep(draft: KeptDraft): void {
    // Before it is written: who sees the place has to wait for its lock.
    if (!this.#isLocked) void this.#locks?.request(this.#place, { ifAvailable: true }, () => new Promise(() => {}))
    this.#isLocked = true
    try {
      this.#storage.setItem(this.#place, JSON.stringify(draft))
    } catch {
      // The draft is in this page, and goes to the server.
    }
  }

  forget(): void {
    this.#storage.removeItem(this.#place)
  }

  /**
   * Gives each draft of another page to `take`, as soon as that page is gone. It is removed when `take` says that it is kept here,
   * and not before. Without locks nobody knows which pages are gone: all count as such, and two pages may send the same draft.
   */
  async takeLeft(take: (left: KeptDraft) => Promise<boolean>, signal: AbortSignal): Promise<void> {
    const takeFrom = async (place: string) => {
      const left = this.#read(place)
      if (left && (await take(left))) this.#storage.removeItem(place)
    }
    await Promise.all(this.#others().map((place) => this.#whenFree(place, signal, () => takeFrom(place))))
  }

  #others(): string[] {
    const places = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? '')
    // Earlier versions had one place for all pages, without the name of a page.
    return places.filter((name) => (name === this.#of || name.startsWith(`${this.#of}:`)) && name !== this.#place)
  }

  async #whenFree(place: string, signal: AbortSignal, run: () => Promise<void>): Promise<void> {
    if (!this.#locks) return await run()
    try {
      await this.#locks.request(place, { signal }, run)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  #read(place: string): KeptDraft | undefined {
    try {
      const text = this.#storage.getItem(place)
      return text === null ? undefined : (JSON.parse(text) as KeptDraft)
    } catch {
      return undefined
    }
  }
}
