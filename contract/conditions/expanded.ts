import { limits } from '../limits.ts'
import type { Condition } from './condition.ts'
import { eachLeaf } from './kinds.ts'

/** How many leaves conditions have together with those of the segments that they refer to. */
export class ExpandedLeaves {
  readonly #segment: (key: string) => Condition | undefined
  readonly #ofSegments = new Map<string, number>()

  constructor(segment: (key: string) => Condition | undefined) {
    this.#segment = segment
  }

  of(condition: Condition): number {
    let leaves = 0
    eachLeaf(condition, (leaf) => {
      leaves += 'segment' in leaf ? this.ofSegment(leaf.segment) : 1
    })
    return leaves
  }

  /** A segment that there is not, or that refers to itself, is one leaf. */
  ofSegment(key: string): number {
    const known = this.#ofSegments.get(key)
    if (known !== undefined) return known
    this.#ofSegments.set(key, 1)
    const condition = this.#segment(key)
    if (condition) this.#ofSegments.set(key, this.of(condition))
    return this.#ofSegments.get(key) as number
  }
}

/** What is wrong with a condition of so many leaves. */
export function expandedProblem(leaves: number): string | undefined {
  return leaves > limits.expandedLeaves
    ? `has ${leaves} leaves with those of its segments; at most ${limits.expandedLeaves} are allowed`
    : undefined
}
