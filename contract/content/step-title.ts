import type { Names } from '../conditions/sentence.ts'
import { conditionWords } from './differences.ts'
import type { Step } from './document.ts'

/** What a step is called: its name, its first heading, what it waits for when it is hidden, or its key. */
export function stepTitle(step: Step, names: Names = {}): string {
  if (step.name) return step.name
  if (step.type === 'hidden')
    return step.wait_until ? `Wait until ${conditionWords(step.wait_until, names)}` : 'Choose a way'
  const heading = step.blocks.find((block): block is { heading: string } => 'heading' in block)?.heading
  return heading || step.key
}
