/**
 * The rows of one table in a batch of jobs: as they were read under lock, and as the jobs have changed them. The jobs of a
 * batch see each other's changes. The difference to what was read is written.
 */
export class Rows<Row> {
  readonly #read = new Map<string, Row>()
  readonly #now = new Map<string, Row>()

  load(key: string, row: Row): void {
    this.#read.set(key, row)
    this.#now.set(key, row)
  }

  get(key: string): Row | undefined {
    return this.#now.get(key)
  }

  /** The row as it was read, without the changes of the jobs. */
  before(key: string): Row | undefined {
    return this.#read.get(key)
  }

  set(key: string, row: Row | undefined): void {
    if (row === undefined) this.#now.delete(key)
    else this.#now.set(key, row)
  }

  /** Whether the jobs have created a row. */
  get grew(): boolean {
    return this.#now.keys().some((key) => !this.#read.has(key))
  }

  values(): Iterable<Row> {
    return this.#now.values()
  }

  /** In the order of the keys: every writer takes its locks in the same order. */
  changes(): { created: [string, Row][]; updated: [string, Row][]; removed: [string, Row][] } {
    const created: [string, Row][] = []
    const updated: [string, Row][] = []
    for (const entry of this.#now) {
      const before = this.#read.get(entry[0])
      if (before === undefined) created.push(entry)
      else if (before !== entry[1]) updated.push(entry)
    }
    const removed = [...this.#read].filter(([key]) => !this.#now.has(key))
    return { created: created.sort(byKey), updated: updated.sort(byKey), removed: removed.sort(byKey) }
  }
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1
}
