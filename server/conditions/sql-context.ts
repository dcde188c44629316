import type { Meanings } from './compile.ts'
import type { Parameters } from './parameters.ts'
import type { RowColumns } from './read-value.ts'

/** The SQL names of what a condition is about. */
export interface SqlSubject {
  readonly user?: SqlObject & { readonly createdAt: string }
  readonly group: SqlObject
  readonly membership?: Pick<SqlObject, 'attributes' | 'isScanned'>
}

interface SqlObject {
  readonly id: string
  readonly attributes: string
  /** It is the row that is scanned, and not one that is looked up for it. */
  readonly isScanned: boolean
}

export interface SqlContext extends Meanings {
  readonly subject: SqlSubject
  readonly parameters: Parameters
  /** Milliseconds since 1970: the same moment for the whole statement, and for all statements of a walk. */
  readonly now: number
  /**
   * The statement is about some thousand of them. Each is looked up by itself: PostgreSQL would read all events of a name for
   * each statement otherwise. Measured with 5,000 users and 80,000 events, that takes eight times as long.
   */
  readonly isOfSome?: boolean
  /** The statement asks each line of every row: what they read of it are columns of the scan. */
  readonly columns?: RowColumns
}

/** Follows an `exists`. */
export function lookUp({ isOfSome }: Pick<SqlContext, 'isOfSome'>): string {
  return isOfSome ? ' offset 0' : ''
}
