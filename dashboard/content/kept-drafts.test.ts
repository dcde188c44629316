import { expect, it } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { type Keeping, type KeptDraft, KeptDrafts } from './kept-drafts.ts'

const base = starters[0]?.document as ContentDocument
const draft = (name: string): KeptDraft => ({ document: { ...base, name }, revision: '1.1', base })

it('keeps the drafts of two pages apart, and each page finds its own again', () => {
  const browser = new BrowserOfTest()
  const [first, second] = [browser.open('a'), browser.open('b')]
  first.keep(draft('First'))
  second.keep(draft('Second'))
  expect(browser.open('a').own()).toEqual(draft('First'))
  expect(browser.open('b').own()).toEqual(draft('Second'))
})

it('takes over what a page has left when that page is gone, and not before', async () => {
  const browser = new BrowserOfTest()
  browser.open('a').keep(draft('Left'))
  const taken: string[] = []
  const done = browser.open('b').takeLeft(async ({ document }) => taken.push(document.name) > 0, never)
  await settle()
  expect(taken).toEqual([])
  browser.leave('a')
  await done
  expect(taken).toEqual(['Left'])
  expect(browser.storage.length).toBe(0)
})

it('leaves a draft where it is until it is kept elsewhere, for the next page', async () => {
  const browser = new BrowserOfTest()
  browser.open('a').keep(draft('Left'))
  browser.leave('a')
  await browser.open('b').takeLeft(async () => false, never)
  const taken: string[] = []
  await browser.open('c').takeLeft(async ({ document }) => taken.push(document.name) > 0, never)
  expect(taken).toEqual(['Left'])
})

it('waits no longer for a page when it is closed itself', async () => {
  const browser = new BrowserOfTest()
  browser.open('a').keep(draft('Left'))
  const closing = new AbortController()
  const done = browser.open('b').takeLeft(async () => true, closing.signal)
  closing.abort()
  await done
  expect(browser.storage.length).toBe(1)
})

it('takes neither the draft of another content nor its own', async () => {
  const browser = new BrowserOfTest()
  const own = browser.open('a')
  own.keep(draft('Own'))
  browser.open('b', 'content-10').keep(draft('Other'))
  browser.leave('b')
  await own.takeLeft(async () => true, never)
  expect(browser.storage.length).toBe(2)
})

it('takes over what an earlier version kept, and everything where there are no locks', async () => {
  const browser = new BrowserOfTest()
  browser.storage.setItem('draft:content-1', JSON.stringify(draft('Earlier')))
  browser.open('a').keep(draft('Open'))
  const taken: string[] = []
  await browser.open('b', 'content-1', false).takeLeft(async ({ document }) => taken.push(document.name) > 0, never)
  expect(taken.sort()).toEqual(['Earlier', 'Open'])
})

const never = new AbortController().signal
const settle = () => new Promise<void>((resolve) => setTimeout(resolve))

/** A storage and locks that pages share. */
class BrowserOfTest {
  readonly #items = new Map<string, string>()
  readonly #holders = new Map<string, { page: string; free: () => void; freed: Promise<void> }>()

  open(page: string, content = 'content-1', hasLocks = true): KeptDrafts {
    return new KeptDrafts(content, { page, storage: this.storage, locks: hasLocks ? this.#locksOf(page) : undefined })
  }

  /** The browser frees the locks of a page that is gone. */
  leave(page: string): void {
    for (const [name, holder] of this.#holders)
      if (holder.page === page) {
        this.#holders.delete(name)
        holder.free()
      }
  }

  get storage(): Keeping['storage'] {
    const items = this.#items
    return {
      getItem: (name) => items.get(name) ?? null,
      setItem: (name, value) => void items.set(name, value),
      removeItem: (name) => void items.delete(name),
      key: (index) => [...items.keys()][index] ?? null,
      length: items.size,
    }
  }

  #locksOf(page: string): Keeping['locks'] {
    const request = async (name: string, options: LockOptions, run: (lock: Lock | null) => unknown) => {
      if (options.ifAvailable && this.#holders.has(name)) return await run(null)
      for (let holder = this.#holders.get(name); holder; holder = this.#holders.get(name))
        await Promise.race([holder.freed, abortOf(options.signal)])
      let free = () => {}
      const freed = new Promise<void>((resolve) => {
        free = resolve
      })
      this.#holders.set(name, { page, free, freed })
      const result = await run({ name, mode: 'exclusive' })
      this.#holders.delete(name)
      free()
      return result
    }
    return { request: request as LockManager['request'] }
  }
}

const abortOf = (signal: AbortSignal | undefined) =>
  new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
