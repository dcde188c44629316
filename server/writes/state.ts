import type { Attributes } from '../../contract/attributes.ts'
import type { Rows } from '../batches/rows.ts'
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

  /** The length of the attributes that are written, about their bytes. */
  get length(): number {
    let sum = 0
    for (const { rows, key, row } of this.#changes)
      if (row !== rows.get(key)) sum += (row as Partial<AttributesWithText> | undefined)?.attributesJson?.length ?? 0
    return sum
  }

  accept(): void {
    for (const { rows, key, row } of this.#changes) rows.set(key, row)
  }
}
