import type { Meanings } from './compile.ts'
import type { Parameters } from './parameters.ts'

/** The SQL names of what a condition is about. */
export interface SqlSubject {
  readonly user?: { readonly id: string; readonly attributes: string; readonly createdAt: string }
  readonly group: { readonly id: string; readonly attributes: string }
  readonly membership?: { readonly attributes: string }
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
}

/** Follows an `exists`. */
export function lookUp({ isOfSome }: Pick<SqlContext, 'isOfSome'>): string {
  return isOfSome ? ' offset 0' : ''
}
