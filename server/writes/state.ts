import type { Attributes } from '../../contract/attributes.ts'
import type { ObjectRow } from '../objects/queries.ts'
import type { StoredObject } from '../objects/store-queries.ts'

/** The attributes of an object of any kind, parsed and as text. */
export interface AttributesWithText {
  readonly attributes: Attributes
  /** Rendered once: the same bytes are stored, answered and sent. */
  readonly attributesJson: string
}

/** A user or a group. */
export type Stored = StoredObject

export function storedObject({ attributesJson, created_at }: ObjectRow): Stored {
  return { ...withParsedAttributes(attributesJson), createdAt: created_at }
}

/** Attributes as they were read. */
export function withParsedAttributes(attributesJson: string): AttributesWithText {
  return { attributes: JSON.parse(attributesJson), attributesJson }
}

export interface StoredMembership extends AttributesWithText {
  readonly userId: string
  readonly groupId: string
  /** The creation time of a new membership. */
  readonly createdAt: string | undefined
}

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

/** The changes of one job. They are applied when the whole job has succeeded, so a job that fails changes nothing. */
export class Draft {
  readonly #changes: { rows: Rows<unknown>; key: string; row: unknown }[] = []

  /** The row with the changes of this job. The changes of one job are few, so the list is searched. */
  get<Row>(rows: Rows<Row>, key: string): Row | undefined {
    const change = this.#changes.findLast((each) => each.key === key && each.rows === rows)
    return change ? (change.row as Row | undefined) : rows.get(key)
  }

  set<Row>(rows: Rows<Row>, key: string, row: Row | undefined): void {
    this.#changes.push({ rows: rows as Rows<unknown>, key, row })
  }

  /** Whether the job changes a row of these tables. A row that is set to what it was is no change. */
  changes(...tables: readonly object[]): boolean {
    return this.#changes.some(({ rows, key, row }) => tables.includes(rows) && row !== rows.get(key))
  }

  accept(): void {
    for (const { rows, key, row } of this.#changes) rows.set(key, row)
  }
}
