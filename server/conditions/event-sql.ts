import type { EventLeaf } from '../../contract/conditions/condition.ts'
import { limits } from '../../contract/limits.ts'
import { isNotDeletedByKey } from '../deletions/pending.ts'
import { valueSql } from './attribute-sql.ts'
import { leastTime, NOTHING_DELETED } from './probe-queries.ts'
import { type Probe, probeOf, type WhereTest } from './probes.ts'
import { lookUp, type SqlContext } from './sql-context.ts'

/** The number of events of a user or a group fits. What a probe does for one user, for the user of each row. */
export function eventSql(leaf: EventLeaf, context: SqlContext): string {
  const probe = probeOf(leaf)
  const events = eventsOf(probe, context)
  const isMost = leaf.at_most !== undefined
  if (probe.where) return whereSql(events, probe.where, probe.most, isMost, context)
  const reached =
    probe.most === 1
      ? `exists (select from ${events}${lookUp(context)})`
      : `(select count(*) from (select from ${events} limit ${probe.most}) as known) >= ${probe.most}`
  return isMost ? `not ${reached}` : reached
}

/** The `from` and `where` of the events of a leaf. */
function eventsOf(probe: Probe, { subject, parameters, now }: SqlContext): string {
  const least = leastTime(probe, now)
  const time = (ms: number) => `to_timestamp(${parameters.add(ms, 'float8')} / 1000)`
  const conditions = [
    'event.environment_id = $1::int',
    `event.${probe.by}_id = ${subject[probe.by]?.id ?? 'null::text'}`,
    `event.name = ${parameters.add(probe.event, 'text')}`,
    `event.time <= ${time(now)}`,
    ...(least === Number.NEGATIVE_INFINITY ? [] : [`event.time >= ${time(least)}`]),
    ...(probe.sinceCreated && subject.user ? [`event.time >= ${subject.user.createdAt}`] : []),
    `(${NOTHING_DELETED} or (${isNotDeletedByKey('event')}))`,
  ]
  return `events as event where ${conditions.join(' and ')}`
}

/** Unknown when it is not decided by the newest events that may be looked at, and there are more. */
function whereSql(
  events: string,
  where: readonly WhereTest[],
  most: number,
  isMost: boolean,
  { parameters, now }: SqlContext,
): string {
  const tests = where.map((test) => {
    const value = `(looked.attributes -> ${parameters.add(test.attribute, 'text')})`
    return valueSql(test, value, parameters, now)
  })
  const newest = `${events} order by event.time desc`
  const fitting = `select from (select event.attributes from ${newest} limit ${limits.eventsLookedAt}) as looked
     where ${tests.join(' and ')} limit ${most}`
  return `(select case when known.found >= ${most} then ${!isMost}
            when exists (select from ${newest} offset ${limits.eventsLookedAt}) then null else ${isMost} end
     from (select count(*) as found from (${fitting}) as fitting) as known)`
}
