import type { Horizon } from '../batches/order.ts'
import { isoTime } from '../clock.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { PageRequest } from './page.ts'
import type { ListSource } from './source.ts'

/** A horizon, and how many were taken before it. */
export interface TakenHorizon extends Horizon {
  turn: number
}

let turns = 0

/** For statements that are sent after this call. */
export function takeHorizon(
  commits: { horizon(environmentId: EnvironmentId): Horizon },
  environmentId: EnvironmentId,
): TakenHorizon {
  turns += 1
  return { ...commits.horizon(environmentId), turn: turns }
}

/**
 * Of a list that is ordered by creation time, only what nothing earlier can still appear before: who follows the end of it
 * misses nothing. `createdAt` is the column of that time. What is more than a second ahead comes from a node whose clock is wrong, and is shown.
 */
export function upToHorizon(
  source: ListSource,
  createdAt: string,
  { order }: PageRequest,
  { untilMs, exceptMs, turn }: TakenHorizon,
): ListSource {
  if (order[0]?.name !== 'created_at') return source
  const first = source.values.length + 2
  const until = `$${first}::timestamptz`
  return {
    ...source,
    turn,
    where: [
      ...source.where,
      `(${createdAt} <= ${until} or ${createdAt} > ${until} + interval '1 second')`,
      `${createdAt} <> all($${first + 1}::timestamptz[])`,
    ],
    values: [...source.values, isoTime(untilMs), exceptMs.map((ms) => isoTime(ms))],
  }
}
