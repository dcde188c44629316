import type { BrowserLeaf, Group } from '../../contract/conditions/condition.ts'
import { isBrowserLeaf } from '../../contract/conditions/kinds.ts'
import type { Compiled, CompiledLeaf } from '../conditions/compiled.ts'
import type { Facts } from '../conditions/facts.ts'

/** What is left of a condition for the page to decide: true or false when nothing is. */
export type LeftToPage = boolean | Group<BrowserLeaf>

/**
 * Decides what the server can, and leaves the rest to the page. An unknown leaf counts so that the whole cannot become true
 * by it: as false, and within `not` as true. Every part of a tree can only help in one direction, so that is exact.
 */
export function leftToPage(condition: Compiled, facts: Facts): LeftToPage {
  switch (condition.kind) {
    case 'leaf':
      return leafLeft(condition, facts)
    case 'not': {
      const part = leftToPage(condition.part, facts)
      return typeof part === 'boolean' ? !part : { not: part }
    }
    default:
      return groupLeft(condition.kind, condition.parts, facts)
  }
}

function leafLeft({ leaf, test, isNegated }: CompiledLeaf, facts: Facts): LeftToPage {
  return isBrowserLeaf(leaf) ? leaf : (test(facts) ?? isNegated)
}

function groupLeft(kind: 'all' | 'any', parts: readonly Compiled[], facts: Facts): LeftToPage {
  const decisive = kind === 'any'
  const left: Group<BrowserLeaf>[] = []
  for (const part of parts) {
    const one = leftToPage(part, facts)
    if (one === decisive) return decisive
    if (typeof one !== 'boolean') left.push(one)
  }
  const [first] = left
  if (!first) return !decisive
  if (left.length === 1) return first
  return kind === 'all' ? { all: left } : { any: left }
}
