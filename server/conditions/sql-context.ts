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
}
