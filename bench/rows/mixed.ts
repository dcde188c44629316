import type { Bench } from '../bench.ts'
import { USERS } from '../bench.ts'
import { compare } from '../compare.ts'
import type { Traffic } from '../traffic.ts'
import { EVENT } from './requests.ts'
import type { Measured, Row } from './row.ts'

/** Kinds of writes that alternate in one environment share transactions. */
export const mixedRow: Row = {
  name: 'mixed-writes',
  work: 'POST /events and DELETE /group_memberships alternating in one environment, against the slower of the two alone',
  target: { least: 0.7 },
  measure,
}

const REMOVAL: Traffic = {
  method: 'DELETE',
  path: '/group_memberships?user_id=user_{n}&group_id=group_{g}',
  users: USERS,
}

/** By our own generator: wrk sends one traffic. */
async function measure(bench: Bench): Promise<Measured> {
  const { server, database } = await bench.site()
  const side = (traffic: Traffic) => ({ port: server.port, pid: server.pid, database, traffic })
  const mixed = side({ ...EVENT, alternately: REMOVAL })
  const how = { load: bench.clock }
  const withEvents = await compare(bench, mixed, side(EVENT), how)
  const withRemovals = await compare(bench, mixed, side(REMOVAL), how)
  const slower = withEvents.ratio > withRemovals.ratio ? withEvents : withRemovals
  const note = `against events ${withEvents.ratio.toFixed(2)}, against removals ${withRemovals.ratio.toFixed(2)}`
  return { value: slower.ratio, comparison: slower, note }
}
