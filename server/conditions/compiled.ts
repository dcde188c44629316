import type { Leaf, Outcome } from '../../contract/conditions/condition.ts'
import type { Found } from '../../contract/conditions/finding.ts'
import type { Facts } from './facts.ts'

/** A condition that is ready to be evaluated for any number of users. */
export type Compiled =
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Compiled[] }
  | { readonly kind: 'not'; readonly part: Compiled }
  | CompiledLeaf

export interface CompiledLeaf {
  readonly kind: 'leaf'
  readonly leaf: Leaf
  readonly path: string
  /** Within an odd number of `not`. */
  readonly isNegated: boolean
  readonly test: (facts: Facts) => Outcome
  readonly found: (facts: Facts) => Found
}
