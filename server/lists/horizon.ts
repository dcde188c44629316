import type { Horizon } from '../batches/order.ts'
import { isoTime } from '../clock.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { PageRequest } from './page.ts'
import type { ListSource } from './source.ts'

/** A horizon with its sequence number. */
export interface TakenHorizon extends Horizon {
  sequence: number
}

let taken = 0

/** For statements that are sent after this call. */
export function takeHorizon(
  commits: { horizon(environmentId: EnvironmentId): Horizon },
  environmentId: EnvironmentId,
): TakenHorizon {
  taken += 1
  return { ...commits.horizon(environmentId), sequence: taken }
}

/**
 * Limits a list that is ordered by creation time to objects before which no other can still appear, so that a client that
 * follows its end misses nothing. `createdAt` is the column of that time. Objects more than a second ahead come from a node
 * with a wrong clock, and are shown.
 */
export function upToHorizon(
  source: ListSource,
  createdAt: string,
  { order }: PageRequest,
  { untilMs, exceptMs, sequence }: TakenHorizon,
): ListSource {
  if (order[0]?.name !== 'created_at') return source
  const first = source.values.length + 2
  const until = `$${first}::timestamptz`
  return {
    ...source,
    sequence,
    where: [
      ...source.where,
      `(${createdAt} <= ${until} or ${createdAt} > ${until} + interval '1 second')`,
      `${createdAt} <> all($${first + 1}::timestamptz[])`,
    ],
    values: [...source.values, isoTime(untilMs), exceptMs.map((ms) => isoTime(ms))],
  }
}
