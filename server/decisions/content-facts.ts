import type { ContentFacts, Facts } from '../conditions/facts.ts'
import type { ContentState } from './states.ts'

/** What content leaves ask for. */
export function withContent(facts: Facts, states: readonly ContentState[]): Facts {
  if (states.length === 0) return facts
  return { ...facts, content: new Map(states.map((state) => [state.key, contentFacts(state)])) }
}

export function contentFacts(state: ContentState): ContentFacts {
  const { started, lastStartedAt, completedAt, dismissedAt, activeSessionId } = state
  return {
    seenAt: started > 0 ? (lastStartedAt ?? undefined) : undefined,
    completedAt: completedAt ?? undefined,
    dismissedAt: dismissedAt ?? undefined,
    isActive: activeSessionId !== null,
  }
}
