import type { Outcome } from '../../contract/conditions/condition.ts'
import { findingOf, type LeafFinding } from '../../contract/conditions/finding.ts'
import type { Names } from '../../contract/conditions/sentence.ts'
import type { Compiled, CompiledLeaf } from './compiled.ts'
import type { Facts } from './facts.ts'

/** The outcome for this user, three-valued. Leaves are asked only as far as they decide. */
export function evaluate(condition: Compiled, facts: Facts): Outcome {
  switch (condition.kind) {
    case 'leaf':
      return condition.test(facts)
    case 'not': {
      const outcome = evaluate(condition.part, facts)
      return outcome === null ? null : !outcome
    }
    default:
      return decide(condition.parts, condition.kind === 'any', facts)
  }
}

/** One false part decides `all`, one true part decides `any`. Otherwise one unknown part makes the group unknown. */
function decide(parts: readonly Compiled[], decisive: boolean, facts: Facts): Outcome {
  let outcome: Outcome = !decisive
  for (const part of parts) {
    const one = evaluate(part, facts)
    if (one === decisive) return decisive
    if (one === null) outcome = null
  }
  return outcome
}

/** What each leaf came to, in the order in which they are written, whether it decided or not. */
export function findings(condition: Compiled, facts: Facts, names: Names): LeafFinding[] {
  if (condition.kind === 'leaf') return [finding(condition, facts, names)]
  const parts = condition.kind === 'not' ? [condition.part] : condition.parts
  return parts.flatMap((part) => findings(part, facts, names))
}

/**
 * The first leaf that makes a condition come to what it does: the reason that one sentence gives. `outcomeOf` says what each
 * part comes to.
 */
export function reasonOf(
  condition: Compiled,
  facts: Facts,
  names: Names,
  outcomeOf: (part: Compiled, facts: Facts) => unknown = evaluate,
): LeafFinding {
  return finding(
    decidingLeaf(condition, (part) => outcomeOf(part, facts)),
    facts,
    names,
  )
}

function finding({ leaf, path, isNegated, test, found }: CompiledLeaf, facts: Facts, names: Names): LeafFinding {
  return findingOf(leaf, path, test(facts), found(facts), names, isNegated)
}

/** A part with another outcome than its group does not decide it: one that is not known beside one that is false, for example. */
function decidingLeaf(condition: Compiled, outcomeOf: (part: Compiled) => unknown): CompiledLeaf {
  if (condition.kind === 'leaf') return condition
  if (condition.kind === 'not') return decidingLeaf(condition.part, outcomeOf)
  const outcome = outcomeOf(condition)
  return decidingLeaf(condition.parts.find((part) => outcomeOf(part) === outcome) as Compiled, outcomeOf)
}
