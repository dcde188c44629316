import type { Horizon } from '../batches/order.ts'
import { isoTime } from '../clock.ts'
import type { ListSource } from './list.ts'
import type { PageRequest } from './page.ts'

/**
 * Of a list that is ordered by creation time, only what nothing earlier can still appear before: who follows the end of it
 * misses nothing. `createdAt` is the column of that time. What is more than a second ahead comes from a node whose clock is wrong, and is shown.
 */
export function upToHorizon(
  source: ListSource,
  createdAt: string,
  { order }: PageRequest,
  { untilMs, exceptMs }: Horizon,
): ListSource {
  if (order[0]?.name !== 'created_at') return source
  const first = source.values.length + 2
  const until = `$${first}::timestamptz`
  return {
    ...source,
    where: [
      ...source.where,
      `(${createdAt} <= ${until} or ${createdAt} > ${until} + interval '1 second')`,
      `${createdAt} <> all($${first + 1}::timestamptz[])`,
    ],
    values: [...source.values, isoTime(untilMs), exceptMs.map((ms) => isoTime(ms))],
  }
}
