import type { Condition } from '../../contract/conditions/condition.ts'
import { ExpandedLeaves, expandedProblem } from '../../contract/conditions/expanded.ts'
import type { Problem } from '../../contract/conditions/fields.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import type { Scope } from '../conditions/members-sql.ts'

/** What is known of a segment when another refers to it. */
export interface KnownSegment {
  scope: Scope
  condition: Condition
}

export type KnownSegments = ReadonlyMap<string, KnownSegment>

/**
 * What is wrong with the segment leaves of a condition: a segment that does not exist, one of users in a segment of groups, a
 * cycle, and too many leaves. `own` is the key of the segment that the condition is saved as.
 */
export function referenceProblems(
  condition: Condition,
  scope: Scope,
  known: KnownSegments,
  path: string,
  own?: string,
): Problem[] {
  const problems: Problem[] = []
  const all = own === undefined ? known : new Map([...known, [own, { scope, condition }]])
  eachLeaf(condition, (leaf, at) => {
    if (!('segment' in leaf)) return
    const found = all.get(leaf.segment)
    const add = (message: string) => problems.push({ path: `${path}${at === '' ? '' : '.'}${at}.segment`, message })
    if (!found) add(`there is no segment '${leaf.segment}'; save it first`)
    else if (scope === 'group' && found.scope === 'user')
      add(`${leaf.segment} is a segment of users; name one of groups`)
    else if (own !== undefined && reaches(all, leaf.segment, own))
      add(`${leaf.segment} refers back to ${own}, which would be a cycle`)
  })
  if (problems.length === 0) problems.push(...sizeProblems(condition, all, path, own))
  return problems
}

/** Whether a segment is this one, or refers to it through others. */
function reaches(known: KnownSegments, from: string, to: string): boolean {
  const seen = new Set<string>()
  const waiting = [from]
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    if (key === to) return true
    if (seen.has(key)) continue
    seen.add(key)
    const next = known.get(key)
    if (next) eachLeaf(next.condition, (leaf) => void ('segment' in leaf && waiting.push(leaf.segment)))
  }
  return false
}

/** Segments of segments of segments would grow without end: each level can double the leaves. A saved one makes others larger. */
function sizeProblems(condition: Condition, known: KnownSegments, path: string, own?: string): Problem[] {
  const leaves = new ExpandedLeaves((key) => known.get(key)?.condition)
  const message = expandedProblem(leaves.of(condition))
  if (message !== undefined || own === undefined) return message === undefined ? [] : [{ path, message }]
  for (const key of known.keys()) {
    const problem = expandedProblem(leaves.ofSegment(key))
    if (problem !== undefined) return [{ path, message: `with it, the segment '${key}' ${problem}` }]
  }
  return []
}
