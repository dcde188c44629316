import type { EnvironmentId, Reader } from '../database/database.ts'
import { isAway } from '../database/errors.ts'

/** What PostgreSQL answers for a page: its items as one text, how many there are, and the keys of the last. */
export type RenderedRow = Record<string, string> & { items: string | null; found: number }

/** A page that is asked for: `text` reads it alone, `together` several of its kind. */
export interface AskedPage {
  environmentId: EnvironmentId
  text: string
  together: string
  /** What all pages of such a statement share: a horizon. Of pages that are read together, the latest one is used. */
  common: readonly unknown[]
  /** Grows with the horizons that are taken. */
  turn: number
  weight: keyof typeof BOUNDS
  /** What each differs in: one value for each array that `together` takes. */
  own: readonly unknown[]
}

interface Waiting {
  page: AskedPage
  resolve(row: RenderedRow): void
  reject(error: unknown): void
}

/**
 * How many statements of a kind are under way at most, and how many pages each has. Eight plain pages of a hundred objects
 * take 4 ms of PostgreSQL; two that expand three hundred each take 11 ms, and their answers are long.
 */
const BOUNDS = { plain: { statements: 4, pages: 8 }, expanded: { statements: 8, pages: 2 } }
/** On distributed tables: whether Citus sends such a join to one worker was not tried. */
const ALONE = { statements: 1_000, pages: 1 }

/** The pages of one kind: those that are being read, and those that wait. */
class Kind {
  readonly #db: Reader
  readonly #onIdle: () => void
  readonly #most: { statements: number; pages: number }
  readonly #waiting: Waiting[] = []
  #underWay = 0
  #isPlanned = false

  constructor(db: Reader, weight: AskedPage['weight'], onIdle: () => void) {
    this.#db = db
    this.#most = db.isDistributed ? ALONE : BOUNDS[weight]
    this.#onIdle = onIdle
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting)
    if (this.#isPlanned || this.#underWay === this.#most.statements) return
    this.#isPlanned = true
    // After all that is being worked on right now: what arrived together is read together.
    process.nextTick(() => {
      this.#isPlanned = false
      this.#begin()
    })
  }

  /** Those that wait are spread over the statements that may begin. */
  #begin(): void {
    while (this.#waiting.length > 0 && this.#underWay < this.#most.statements) {
      const share = Math.ceil(this.#waiting.length / (this.#most.statements - this.#underWay))
      void this.#read(this.#waiting.splice(0, Math.min(share, this.#most.pages)))
    }
  }

  async #read(batch: Waiting[]): Promise<void> {
    this.#underWay += 1
    try {
      if (batch.length === 1) await this.#readAlone(batch[0] as Waiting)
      else await this.#readAll(batch)
    } finally {
      this.#underWay -= 1
      this.#begin()
      if (this.#underWay === 0) this.#onIdle()
    }
  }

  async #readAll(batch: Waiting[]): Promise<void> {
    try {
      const rows = await this.#db.query<RenderedRow & { number: number }>(...statementOf(batch))
      for (const row of rows) batch[row.number - 1]?.resolve(row)
    } catch (error) {
      if (isAway(error)) for (const { reject } of batch) reject(error)
      // One of them may be too much: it fails alone.
      else for (const waiting of batch) await this.#readAlone(waiting)
    }
  }

  async #readAlone({ page: { environmentId, text, common, own }, resolve, reject }: Waiting): Promise<void> {
    try {
      const [row] = await this.#db.query<RenderedRow>(text, [environmentId, ...common, ...own])
      resolve(row as RenderedRow)
    } catch (error) {
      reject(error)
    }
  }
}

function statementOf(batch: readonly Waiting[]): [text: string, values: unknown[]] {
  const latest = batch.reduce((a, b) => (b.page.turn > a.page.turn ? b : a))
  const { environmentId, together, common, own } = latest.page
  const columns = own.map((_, index) => batch.map(({ page }) => page.own[index]))
  return [together, [environmentId, ...common, ...columns]]
}

const kinds = new WeakMap<Reader, Map<string, Kind>>()

/**
 * Reads a page in one statement with others of its kind: the same list of one environment, each from another position. A
 * lone page starts at once. While statements are under way pages wait, first come first served, and the next statement
 * takes several of them. A statement has a price of its own beside that of its pages: 80 µs of PostgreSQL, and a
 * message there and back for this process.
 */
export function readTogether(db: Reader, page: AskedPage): Promise<RenderedRow> {
  const ofReader = kinds.get(db) ?? new Map<string, Kind>()
  kinds.set(db, ofReader)
  const key = `${page.environmentId} ${page.text}`
  const kind = ofReader.get(key) ?? new Kind(db, page.weight, () => ofReader.delete(key))
  ofReader.set(key, kind)
  return new Promise((resolve, reject) => kind.add({ page, resolve, reject }))
}
