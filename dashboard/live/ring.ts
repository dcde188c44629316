/** Rows that are kept in the browser. */
export const KEPT_ROWS = 500

/** The newest rows first, at most `size` of them. Rows that come twice (after a reconnection) are kept once. */
export class Ring<Row extends { id: string }> {
  readonly #size: number
  #rows: readonly Row[] = []
  #known = new Set<string>()

  constructor(size: number) {
    this.#size = size
  }

  get rows(): readonly Row[] {
    return this.#rows
  }

  /** `added` is in the order of arrival, the newest last. Answers how many were new. */
  add(added: readonly Row[]): number {
    const fresh = added.filter((row) => !this.#known.has(row.id))
    if (fresh.length === 0) return 0
    this.#rows = [...fresh.toReversed(), ...this.#rows].slice(0, this.#size)
    this.#known = new Set(this.#rows.map(({ id }) => id))
    return fresh.length
  }
}
