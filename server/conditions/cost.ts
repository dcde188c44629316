import type { Condition, Leaf } from '../../contract/conditions/condition.ts'
import { kindOf, type LeafKind } from '../../contract/conditions/kinds.ts'

/** What a leaf reads, as far as it decides which of two is asked first. */
const costs: Partial<Record<LeafKind, number>> = { time: 0, attribute: 1, segment: 4, content: 5, answer: 5, event: 5 }

/** PostgreSQL stops at the first part that decides, in the order of the text: what reads little comes first. */
export function cheapestFirst(parts: readonly Condition[]): Condition[] {
  return parts.toSorted((one, other) => costOf(one) - costOf(other))
}

function costOf(part: Condition): number {
  if ('all' in part) return sumOf(part.all)
  if ('any' in part) return sumOf(part.any)
  return 'not' in part ? costOf(part.not) : leafCost(part)
}

const sumOf = (parts: readonly Condition[]) => parts.reduce((sum, part) => sum + costOf(part), 0)

function leafCost(leaf: Leaf): number {
  const cost = costs[kindOf(leaf)] ?? 0
  return 'event' in leaf && leaf.where ? 2 * cost : cost
}
