import type { Condition, Leaf, ServerLeaf } from '../../contract/conditions/condition.ts'
import { kindOf } from '../../contract/conditions/kinds.ts'
import { withinKept } from '../../contract/conditions/retention.ts'
import { attributeSql } from './attribute-sql.ts'
import { cheapestFirst } from './cost.ts'
import { eventSql } from './event-sql.ts'
import { answerSql, contentSql } from './session-sql.ts'
import type { SqlContext } from './sql-context.ts'
import { timeHolds } from './time-leaf.ts'

/**
 * The condition as a boolean expression: true, false, or null for unknown, which PostgreSQL carries through and, or and not
 * as `evaluate` does. `server/conditions/forms.test.ts` holds the two forms against each other.
 */
export function conditionSql(condition: Condition, context: SqlContext): string {
  return partSql(condition, context, [])
}

function partSql(part: Condition, context: SqlContext, within: readonly string[]): string {
  if ('all' in part) return groupSql(part.all, ' and ', context, within)
  if ('any' in part) return groupSql(part.any, ' or ', context, within)
  if ('not' in part) return `not ${partSql(part.not, context, within)}`
  return leafSql(part, context, within)
}

function groupSql(parts: readonly Condition[], word: string, context: SqlContext, within: readonly string[]): string {
  return `(${cheapestFirst(parts)
    .map((part) => partSql(part, context, within))
    .join(word)})`
}

function leafSql(leaf: Leaf, context: SqlContext, within: readonly string[]): string {
  const own = leaf as ServerLeaf
  if ('attribute' in own) return attributeSql(own, context)
  if ('event' in own) return eventSql(withinKept(own, context.keptDays), context)
  if ('segment' in own) return segmentSql(own.segment, own.is === 'in', context, within)
  if ('content' in own) return contentSql(own, context)
  if ('answer' in own) return answerSql(own, context)
  return kindOf(leaf) === 'time' && timeHolds(own, context.now) ? 'true' : 'false'
}

/** Unknown when there is no such segment, and in a cycle. */
function segmentSql(key: string, isIn: boolean, context: SqlContext, within: readonly string[]): string {
  const found = within.includes(key) ? undefined : context.segments(key)
  if (!found) return 'null::boolean'
  const condition = `(${partSql(found.condition, context, [...within, key])})`
  return isIn ? condition : `not ${condition}`
}
