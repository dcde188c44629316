import type { Group, Outcome } from './condition.ts'

/** The outcome of a tree by the outcomes of its leaves, three-valued. Leaves are asked only as far as they decide. */
export function outcomeOf<L extends object>(tree: Group<L>, leaf: (leaf: L) => Outcome): Outcome {
  if ('all' in tree) return decide(tree.all, false, leaf)
  if ('any' in tree) return decide(tree.any, true, leaf)
  if ('not' in tree) return not(outcomeOf(tree.not, leaf))
  return leaf(tree)
}

/** One false part decides `all`, one true part decides `any`. Otherwise one unknown part makes the group unknown. */
function decide<L extends object>(parts: readonly Group<L>[], decisive: boolean, leaf: (leaf: L) => Outcome): Outcome {
  let outcome: Outcome = !decisive
  for (const part of parts) {
    const one = outcomeOf(part, leaf)
    if (one === decisive) return decisive
    if (one === null) outcome = null
  }
  return outcome
}

export function not(outcome: Outcome): Outcome {
  return outcome === null ? null : !outcome
}
