import type { Condition, Outcome } from '../conditions/condition.ts'
import { conditionWords } from './differences.ts'
import type { Action, Advance, Button, FlowDocument, Step } from './document.ts'

export interface PathStep {
  key: string
  /** Why a hidden step led here; null where a button or the order of the list did. */
  because: string | null
}

/** `page`: only the page can say how it goes on. `nowhere`: a step leads on to nothing. */
export type PathEnd = 'completed' | 'dismissed' | 'page' | 'nowhere'

export interface Path {
  steps: PathStep[]
  end: PathEnd
}

interface Way {
  to: string | undefined
  end: PathEnd | undefined
  because: string | null
}

/** The steps that somebody would take who presses the main button of each. Nobody takes a step twice here. */
export function pathOf(flow: FlowDocument, outcome: (condition: Condition) => Outcome): Path {
  const steps: PathStep[] = []
  const taken = new Set<string>()
  let index = flow.steps.length > 0 ? 0 : -1
  let because: string | null = null
  for (;;) {
    const step = flow.steps[index]
    if (!step) return { steps, end: index >= flow.steps.length && steps.length > 0 ? 'completed' : 'nowhere' }
    if (taken.has(step.key)) return { steps, end: 'page' }
    taken.add(step.key)
    steps.push({ key: step.key, because })
    const way = wayOn(step, outcome)
    if (way.end) return { steps, end: way.end }
    because = way.because
    index = way.to === undefined ? index + 1 : flow.steps.findIndex(({ key }) => key === way.to)
  }
}

function wayOn(step: Step, outcome: (condition: Condition) => Outcome): Way {
  if (step.type === 'hidden') return wayOfHidden(step.advance, outcome)
  const buttons = [...(step.buttons ?? [])].sort((a, b) => rankOf(a) - rankOf(b))
  for (const button of buttons)
    for (const action of button.do) {
      const way = wayOfAction(action)
      if (way) return way
    }
  const [first] = step.advance ?? []
  return first ? goalOf(first, null) : leadingNowhere
}

const leadingNowhere: Way = { to: undefined, end: 'nowhere', because: null }

/** The main button first, and last those that only leave. */
const rankOf = ({ style, do: actions }: Button): number =>
  actions.some((action) => 'end' in action && action.end === 'dismissed') ? 2 : style === 'primary' ? 0 : 1

function wayOfAction(action: Action): Way | undefined {
  if ('next' in action) return { to: undefined, end: undefined, because: null }
  if ('go_to' in action) return { to: action.go_to, end: undefined, because: null }
  return 'end' in action ? { to: undefined, end: action.end, because: null } : undefined
}

/** The first way that holds. One that only the page can decide ends what is known. */
function wayOfHidden(ways: readonly Advance[], outcome: (condition: Condition) => Outcome): Way {
  for (const way of ways) {
    if (way.on === 'otherwise') return goalOf(way, ways.length > 1 ? 'none of the ways before holds' : null)
    if (way.on !== 'condition') continue
    const met = outcome(way.condition)
    if (met === null) return { to: undefined, end: 'page', because: null }
    if (met) return goalOf(way, conditionWords(way.condition))
  }
  return { to: undefined, end: 'page', because: null }
}

const goalOf = ({ to, end }: Advance, because: string | null): Way => ({ to, end, because })
