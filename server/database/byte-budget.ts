/** How many bytes a transaction, or a statement alone, may hold in this process: of the rows that it reads, and of what it writes. */
export interface MostBytes {
  readonly read: number
  readonly written: number
}

/** It would hold more than it may. A transaction is rolled back. */
export class BeyondBudget extends Error {
  readonly #budget: ByteBudget

  constructor(budget: ByteBudget) {
    super('the statement or transaction would hold more bytes than it may')
    this.#budget = budget
  }

  /** How many times the budget is needed, as far as it is known. */
  get times(): number {
    return this.#budget.times
  }
}

/** Counts the bytes that a transaction holds. */
export class ByteBudget {
  readonly #most: MostBytes
  #read = 0
  #written = 0
  #hasRead = false

  constructor(most: MostBytes = { read: Number.POSITIVE_INFINITY, written: Number.POSITIVE_INFINITY }) {
    this.#most = most
  }

  get times(): number {
    return Math.max(this.#read / this.#most.read, this.#written / this.#most.written)
  }

  /** A row was received. Returns whether it may be kept. */
  mayKeep(bytes: number): boolean {
    if (this.#hasRead) return true
    this.#read += bytes
    return this.#read <= this.#most.read
  }

  /** Rows that arrive from now on are not counted: a transaction whose COMMIT is sent with the statement must not fail for them. */
  endReading(): void {
    this.#hasRead = true
  }

  /** Called before it is written. */
  write(bytes: number): void {
    this.#written += bytes
    if (this.#written > this.#most.written) throw new BeyondBudget(this)
  }
}
