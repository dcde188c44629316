import type { Rejection } from '../../../contract/dashboard/home.ts'
import type { RequestError } from '../../../contract/dashboard/live.ts'
import { listKeysOf } from '../../accounts/key-queries.ts'
import { type ErrorRow, readErrors } from '../../counters/read.ts'
import { seriesOf, spanOf, sum } from '../../counters/series.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import { readShown } from './environments.ts'

const MOST_REASONS = 100

/** Why requests were refused in the last 24 hours, most frequent first. */
export async function requestErrors(
  database: Database,
  environmentId: EnvironmentId,
  environments: readonly EnvironmentId[],
): Promise<{ data: RequestError[]; total: number }> {
  const span = spanOf(3_600, 24)
  const [rows, keys] = await Promise.all([
    readErrorsOf(database, environmentId, environments, span.from),
    listKeysOf(database, environmentId),
  ])
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  const reasons = reasonsOf(rows).map(({ rejection, rows: ofReason }) => ({
    ...rejection,
    hours: seriesOf(
      span,
      ofReason.map(({ hour, count }) => ({ at: hour, count })),
    ),
    keys: keysOf(ofReason, names),
  }))
  return { data: reasons.slice(0, MOST_REASONS), total: sum(reasons.map(({ count }) => count)) }
}

export async function readErrorsOf(
  database: Database,
  environmentId: EnvironmentId,
  environments: readonly EnvironmentId[],
  sinceMs: number,
): Promise<ErrorRow[]> {
  const since = new Date(sinceMs).toISOString()
  return await readShown(database, environmentId, environments, sinceMs, async (id, from) =>
    (await readErrors(database, id, since)).filter(({ last_at }) => last_at >= from),
  )
}

/** A reason is a code and a field, over all keys and hours. The latest refusal is its example. */
export function reasonsOf(rows: readonly ErrorRow[]): { rejection: Rejection; rows: ErrorRow[] }[] {
  const groups = Map.groupBy(rows, ({ status, code, field }) => `${status} ${code} ${field}`)
  return [...groups.values()]
    .map((ofReason) => {
      const latest = ofReason.reduce((a, b) => (a.last_at >= b.last_at ? a : b))
      const { status, code, field, message, last_at, last_request_id } = latest
      const count = sum(ofReason.map((row) => row.count))
      return { rejection: { status, code, field, message, count, last_at, last_request_id }, rows: ofReason }
    })
    .sort((a, b) => b.rejection.count - a.rejection.count)
}

function keysOf(rows: readonly ErrorRow[], names: ReadonlyMap<number, string>): RequestError['keys'] {
  const groups = Map.groupBy(rows, ({ key_id }) => key_id)
  return [...groups]
    .map(([id, ofKey]) => ({
      key_id: id === 0 ? null : id,
      name: names.get(id) ?? null,
      count: sum(ofKey.map(({ count }) => count)),
    }))
    .sort((a, b) => b.count - a.count)
}
