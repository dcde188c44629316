import type { MostBytes } from '../database/byte-budget.ts'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { isUnreachable } from '../database/errors.ts'

/** The row of a page: its items as one text, their number, and the keys of the last. */
export type RenderedRow = Record<string, string> & { items: string | null; found: number }

/** A requested page. `text` reads it alone, `together` several of its kind. */
export interface RequestedPage {
  environmentId: EnvironmentId
  text: string
  together: string
  /** The shared values of all pages of such a statement: a horizon. Pages that are read together use the latest one. */
  common: readonly unknown[]
  /** The sequence number of the horizon. */
  sequence: number
  weight: keyof typeof BOUNDS
  /** The values of this page, one for each array of `together`. */
  own: readonly unknown[]
}

interface WaitingPage {
  page: RequestedPage
  resolve(row: RenderedRow): void
  reject(error: unknown): void
}

/**
 * The most statements of a kind under way, and the most pages of each. Eight plain pages of a hundred objects take 4 ms of
 * PostgreSQL; two that expand three hundred each take 11 ms, and their answers are long.
 */
const BOUNDS = { plain: { statements: 4, pages: 8 }, expanded: { statements: 8, pages: 2 } }

/**
 * Of pages that are read together. Those of objects of 256 KiB have 25 MB each, and 32 of them under way took 0.5 GB. When
 * eight have more than this, each is read alone, one after the other.
 */
const MOST_BYTES: MostBytes = { read: 32 * 1024 * 1024, written: 0 }

/** The pages of one kind: the statements under way, and the waiting pages. */
class PageQueue {
  readonly #db: Reader
  readonly #onIdle: () => void
  readonly #most: { statements: number; pages: number }
  readonly #waiting: WaitingPage[] = []
  #underWay = 0
  #isPlanned = false

  constructor(db: Reader, weight: RequestedPage['weight'], onIdle: () => void) {
    this.#db = db
    this.#most = BOUNDS[weight]
    this.#onIdle = onIdle
  }

  add(waiting: WaitingPage): void {
    this.#waiting.push(waiting)
    if (this.#isPlanned || this.#underWay === this.#most.statements) return
    this.#isPlanned = true
    // After the current turn, so that pages that arrive together are read together.
    process.nextTick(() => {
      this.#isPlanned = false
      this.#begin()
    })
  }

  /** Distributes the waiting pages over the statements that may start. */
  #begin(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.#most.statements) {
      const share = Math.ceil(this.#waiting.length / (this.#most.statements - this.#underWay))
      void this.#read(this.#waiting.splice(0, Math.min(share, this.#most.pages)))
    }
  }

  async #read(batch: WaitingPage[]): Promise<void> {
    this.#underWay += 1
    try {
      if (batch.length === 1) await this.#readAlone(batch[0] as WaitingPage)
      else await this.#readAll(batch)
    } finally {
      this.#underWay -= 1
      this.#begin()
      if (this.#underWay === 0) this.#onIdle()
    }
  }

  async #readAll(batch: WaitingPage[]): Promise<void> {
    try {
      const rows = await this.#db.query<RenderedRow & { number: number }>(...statementOf(batch), MOST_BYTES)
      for (const row of rows) batch[row.number - 1]?.resolve(row)
    } catch (error) {
      if (isUnreachable(error)) for (const { reject } of batch) reject(error)
      // One page may exceed a limit, and fails alone; or they are too large together.
      else for (const waiting of batch) await this.#readAlone(waiting)
    }
  }

  async #readAlone({ page: { environmentId, text, common, own }, resolve, reject }: WaitingPage): Promise<void> {
    try {
      const [row] = await this.#db.query<RenderedRow>(text, [environmentId, ...common, ...own])
      resolve(row as RenderedRow)
    } catch (error) {
      reject(error)
    }
  }
}

function statementOf(batch: readonly WaitingPage[]): [text: string, values: unknown[]] {
  const latest = batch.reduce((a, b) => (b.page.sequence > a.page.sequence ? b : a))
  const { environmentId, together, common, own } = latest.page
  const columns = own.map((_, index) => batch.map(({ page }) => page.own[index]))
  return [together, [environmentId, ...common, ...columns]]
}

const queues = new WeakMap<Reader, Map<string, PageQueue>>()

/**
 * Reads a page in one statement with others of its kind: the same list of one environment, each from another position.
 * A single page starts at once. While statements are under way pages wait in order, and the next statement takes
 * several of them. A statement has a fixed cost in addition to that of its pages: 80 µs of PostgreSQL, and a round trip
 * for this process. On a sharded PostgreSQL it is 1,900 µs: the coordinator and the worker plan every execution.
 */
export function readTogether(db: Reader, page: RequestedPage): Promise<RenderedRow> {
  const ofReader = queues.get(db) ?? new Map<string, PageQueue>()
  queues.set(db, ofReader)
  const key = `${page.environmentId} ${page.text}`
  const queue = ofReader.get(key) ?? new PageQueue(db, page.weight, () => ofReader.delete(key))
  ofReader.set(key, queue)
  return new Promise((resolve, reject) => queue.add({ page, resolve, reject }))
}
