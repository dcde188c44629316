import type { PageDecision } from '../../../contract/sdk/protocol.ts'

/** Whether an answer has the form of a decision: a proxy may answer anything. */
export function isDecision(value: unknown): value is PageDecision {
  const { content, sessions } = (value ?? {}) as Partial<PageDecision>
  return Array.isArray(content) && Array.isArray(sessions)
}
