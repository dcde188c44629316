import type { Condition } from '../../contract/conditions/condition.ts'
import { eachLeaf } from '../../contract/conditions/kinds.ts'
import { liveMemberships } from '../deletions/pending.ts'
import type { SegmentLookup } from './compile.ts'
import { conditionSql } from './condition-sql.ts'
import { cheapestFirst } from './cost.ts'
import type { SqlContext, SqlSubject } from './sql-context.ts'

/** What a condition selects. */
export type Scope = 'user' | 'group'

/** What the expressions are made with. The rows are those of `users as object` or `groups as object`. */
export interface MembersContext extends Omit<SqlContext, 'subject'> {
  readonly scope: Scope
}

const OBJECT = { id: 'object.id', attributes: 'object.attributes', createdAt: 'object.created_at', isScanned: true }

const OF_GROUPS: SqlSubject = { group: OBJECT }

const OF_USERS: SqlSubject = {
  user: OBJECT,
  group: { id: 'belonging.group_id', attributes: 'belonging.group_attributes', isScanned: false },
  membership: { attributes: 'belonging.attributes', isScanned: false },
}

/** A row for each group of the user, or one without. */
const BELONGINGS = `(select) as once left join (
  select membership.group_id, membership.attributes, own.attributes as group_attributes
    from ${liveMemberships()} as membership
    join groups as own on own.environment_id = membership.environment_id and own.id = membership.group_id
   where membership.environment_id = $1::int and membership.user_id = object.id) as belonging on true`

/**
 * Whether the user or group of a row is selected by a condition. A user of several groups is selected if one of them fits. What
 * does not depend on the group is asked once.
 */
export function isSelectedSql(condition: Condition, context: MembersContext): string {
  const { scope, segments } = context
  const inner: SqlContext = { ...context, subject: scope === 'user' ? OF_USERS : OF_GROUPS }
  if (scope === 'group') return conditionSql(condition, inner)
  if ('all' in condition) {
    const [ofGroup, others] = partition(condition.all, (part) => needsGroup(part, segments))
    const apart = cheapestFirst(others).map((part) => conditionSql(part, inner))
    const together = ofGroup.length === 0 ? [] : [existsSql({ all: ofGroup }, inner)]
    return `(${[...apart, ...together].join(' and ')})`
  }
  return needsGroup(condition, segments) ? existsSql(condition, inner) : conditionSql(condition, inner)
}

function existsSql(condition: Condition, context: SqlContext): string {
  return `exists (select from ${BELONGINGS} where ${conditionSql(condition, context)})`
}

/** Whether the outcome depends on which group is the current one. */
export function needsGroup(condition: Condition, segments: SegmentLookup, within: readonly string[] = []): boolean {
  let needs = false
  eachLeaf(condition, (leaf) => {
    if ('attribute' in leaf) needs ||= leaf.of === 'group' || leaf.of === 'membership'
    else if ('event' in leaf) needs ||= leaf.by === 'group'
    else if ('segment' in leaf && !within.includes(leaf.segment)) {
      const found = segments(leaf.segment)
      if (found) needs ||= needsGroup(found.condition, segments, [...within, leaf.segment])
    }
  })
  return needs
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  const { true: fitting = [], false: others = [] } = Object.groupBy(
    items,
    (item) => String(test(item)) as 'true' | 'false',
  )
  return [fitting, others]
}
