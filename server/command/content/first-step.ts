import type { Condition } from '../../../contract/conditions/condition.ts'
import type { FlowDocument, HiddenStep, Step } from '../../../contract/content/document.ts'
import { Compiler, type Meanings } from '../../conditions/compile.ts'
import type { Compiled } from '../../conditions/compiled.ts'
import { evaluate } from '../../conditions/evaluate.ts'
import type { CompiledEnvironment } from '../../decisions/compiled-content.ts'
import { situationIn, type World } from '../../decisions/world.ts'

/**
 * The key of the step that a flow comes to by itself for a user of this world: hidden steps take the first of their ways that
 * holds. It stays at a hidden step that waits, also for something that only a page can tell. Null: the flow ends.
 */
export function firstStep(
  { steps }: FlowDocument,
  environment: CompiledEnvironment,
  world: World,
  meanings: Meanings,
): string | null {
  const holds = evaluator(steps, environment, world, meanings)
  const seen = new Set<string>()
  let step = steps[0]
  while (step?.type === 'hidden' && !seen.has(step.key)) {
    seen.add(step.key)
    const next = afterHidden(step, steps, holds)
    if (next === 'waits') break
    step = next
  }
  return step?.key ?? null
}

/** The step after a hidden one; undefined is the end. */
function afterHidden(
  step: HiddenStep,
  steps: readonly Step[],
  holds: (condition: Condition) => boolean,
): Step | undefined | 'waits' {
  if (step.wait_until && !holds(step.wait_until)) return 'waits'
  const way = step.advance.find((one) => one.on === 'otherwise' || (one.on === 'condition' && holds(one.condition)))
  if (!way) return 'waits'
  if (way.end) return undefined
  return way.to === undefined ? steps[steps.indexOf(step) + 1] : steps.find(({ key }) => key === way.to)
}

/** What is read of the world is known when all conditions are compiled. */
function evaluator(
  steps: readonly Step[],
  environment: CompiledEnvironment,
  world: World,
  meanings: Meanings,
): (condition: Condition) => boolean {
  const compiler = new Compiler(meanings)
  const compiled = new Map<Condition, Compiled>()
  for (const step of steps) {
    if (step.type !== 'hidden') continue
    if (step.wait_until) compiled.set(step.wait_until, compiler.add(step.wait_until))
    for (const way of step.advance) if (way.on === 'condition') compiled.set(way.condition, compiler.add(way.condition))
  }
  const { facts } = situationIn({ ...environment, needs: compiler.needs }, world)
  return (condition) => evaluate(compiled.get(condition) as Compiled, facts) === true
}
