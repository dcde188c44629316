import type { EventLeaf } from '../../contract/conditions/condition.ts'
import { limits } from '../../contract/limits.ts'
import { isNotDeletedByKey } from '../deletions/pending.ts'
import { valueSql } from './attribute-sql.ts'
import { leastTime, NOTHING_DELETED } from './probe-queries.ts'
import { type Probe, probeOf, type WhereTest } from './probes.ts'
import { readAttribute } from './read-value.ts'
import { lookUp, type SqlContext } from './sql-context.ts'

/** The number of events of a user or a group fits. What a probe does for one user, for the user of each row. */
export function eventSql(leaf: EventLeaf, context: SqlContext): string {
  const probe = probeOf(leaf)
  const isMost = leaf.at_most !== undefined
  if (probe.where) return whereSql(probe, probe.where, isMost, context)
  const reached = reachedSql(probe, context)
  return isMost ? `not ${reached}` : reached
}

/**
 * Whether there are as many events as decide. PostgreSQL can join the events where one decides and the condition is one of the
 * statement. Elsewhere the check of deletions, which needs the group of the event, stands in a part of its own: while nothing
 * is being deleted in the environment, the index alone is read. Of every row PostgreSQL then looks the events of each user up,
 * or reads all of the name into a hash, by what takes less.
 */
function reachedSql(probe: Probe, context: SqlContext): string {
  const isJoined = probe.most === 1 && !context.isOfSome && !context.columns
  const conditions = conditionsOf(probe, context)
  if (isJoined) return `exists (select from ${eventsOf([...conditions, IS_SHOWN])})`
  const reached = (events: string) =>
    probe.most === 1
      ? `exists (select from ${events}${lookUp(context)})`
      : `(select count(*) from (select from ${events} limit ${probe.most}) as known) >= ${probe.most}`
  // It follows from the comparison of the id, but not where the events are hashed. The index has only these.
  const plain = [...conditions, `event.${probe.by}_id is not null`]
  return `case when ${NOTHING_DELETED} then ${reached(eventsOf(plain))}
    else ${reached(eventsOf([...conditions, isNotDeletedByKey('event')]))} end`
}

const IS_SHOWN = `(${NOTHING_DELETED} or (${isNotDeletedByKey('event')}))`

function eventsOf(conditions: readonly string[]): string {
  return `events as event where ${conditions.join(' and ')}`
}

/** Which events count, except those that a deletion covers. */
function conditionsOf(probe: Probe, { subject, parameters, now }: SqlContext): string[] {
  const least = leastTime(probe, now)
  const time = (ms: number) => `to_timestamp(${parameters.add(ms, 'float8')} / 1000)`
  return [
    'event.environment_id = $1::int',
    `event.${probe.by}_id = ${subject[probe.by]?.id ?? 'null::text'}`,
    `event.name = ${parameters.add(probe.event, 'text')}`,
    `event.time <= ${time(now)}`,
    ...(least === Number.NEGATIVE_INFINITY ? [] : [`event.time >= ${time(least)}`]),
    ...(probe.sinceCreated && subject.user ? [`event.time >= ${subject.user.createdAt}`] : []),
  ]
}

/** Unknown when it is not decided by the newest events that may be looked at, and there are more. */
function whereSql(probe: Probe, where: readonly WhereTest[], isMost: boolean, context: SqlContext): string {
  const { parameters, now } = context
  const { most } = probe
  const tests = where.map((test) =>
    valueSql(test, readAttribute('looked.attributes', parameters.add(test.attribute, 'text')), parameters, now),
  )
  const newest = `${eventsOf([...conditionsOf(probe, context), IS_SHOWN])} order by event.time desc`
  const fitting = `select from (select event.attributes from ${newest} limit ${limits.eventsLookedAt}) as looked
     where ${tests.join(' and ')} limit ${most}`
  return `(select case when known.found >= ${most} then ${!isMost}
            when exists (select from ${newest} offset ${limits.eventsLookedAt}) then null else ${isMost} end
     from (select count(*) as found from (${fitting}) as fitting) as known)`
}
