import { isoTime } from '../clock.ts'
import type { ListSource } from './list.ts'
import type { PageRequest } from './page.ts'

/** What a list that is ordered by creation time may show: nothing later than `untilMs`, and nothing of these times. */
export interface Horizon {
  untilMs: number
  exceptMs: readonly number[]
}

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
