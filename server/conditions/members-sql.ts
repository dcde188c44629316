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
  if (context.scope === 'group') return conditionSql(condition, { ...context, subject: OF_GROUPS })
  const { apart, ofGroup } = splitByGroup(condition, context)
  const together = ofGroup === undefined ? [] : [`exists (select from ${BELONGINGS} where ${ofGroup})`]
  return `(${[...apart, ...together].join(' and ')})`
}

/** The first group with which the user of this id is selected: no row without one. */
export function fittingGroupSql(userId: string, condition: Condition, context: MembersContext): string {
  const { apart, ofGroup = 'true' } = splitByGroup(condition, context)
  return `
    select belonging.group_id as id
      from users as object cross join lateral (select belonging.* from ${BELONGINGS}) as belonging
     where object.environment_id = $1::int and object.id = ${userId} and belonging.group_id is not null
       and ${[...apart, ofGroup].join(' and ')}
     order by belonging.group_id limit 1`
}

/** The parts of a condition on users: the user has to fit all of `apart`, and with one and the same group `ofGroup`. */
function splitByGroup(
  condition: Condition,
  context: MembersContext,
  subject = OF_USERS,
): { apart: string[]; ofGroup?: string } {
  const inner: SqlContext = { ...context, subject }
  const parts = 'all' in condition ? condition.all : [condition]
  const [ofGroup, others] = partition(parts, (part) => needsGroup(part, context.segments))
  return {
    apart: cheapestFirst(others).map((part) => conditionSql(part, inner)),
    ...(ofGroup.length > 0 && { ofGroup: conditionSql({ all: ofGroup }, inner) }),
  }
}

const OF_MEMBERS: SqlSubject = {
  user: OBJECT,
  group: { id: 'own.id', attributes: 'own.attributes', isScanned: false },
  membership: { attributes: 'membership.attributes', isScanned: false },
}

/**
 * Which rows of `users as object` are selected by each of these conditions, in a column of its name, if `among` holds for
 * them. All conditions need the group: the memberships of a user are looked up once for all of them, and only if one may
 * select it. The groups are joined, so that one that many users are in is read once.
 */
export function areSelectedSql(
  users: string,
  among: string,
  conditions: Readonly<Record<string, Condition>>,
  context: MembersContext,
): string {
  const split = Object.entries(conditions).map(([name, condition]) => ({
    name,
    ...splitByGroup(condition, context, OF_MEMBERS),
  }))
  const may = split.map(({ name, apart }) => `coalesce(${[among, ...apart].join(' and ')}, false) as may_${name}`)
  const fits = split.map(({ name, ofGroup }) => `object.may_${name} and ${ofGroup} as ${name}`)
  // Only of a user without any group it counts that none fits.
  const selected = split.map(
    ({ name }) => `
      coalesce(case when count(group_id) = 0 then bool_or(${name})
                    else bool_or(${name}) filter (where group_id is not null) end, false) as ${name}`,
  )
  return `
    select id, ${selected.join(', ')}
      from (select object.id, own.id as group_id, ${fits.join(', ')}
              from (select *, ${may.join(', ')} from ${users} as object offset 0) as object
              left join lateral (
                select membership.group_id, membership.attributes from ${liveMemberships()} as membership
                 where membership.environment_id = $1::int and membership.user_id = object.id
                   and (${split.map(({ name }) => `object.may_${name}`).join(' or ')})
                offset 0) as membership on true
              left join (select * from groups where environment_id = $1::int) as own on own.id = membership.group_id
            offset 0) as fitted
     group by id`
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
