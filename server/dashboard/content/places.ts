import { DAY_MS } from '../../../contract/units.ts'
import { ALL_TIME, type Place } from '../../results/place.ts'
import { uuidOf } from '../uuid.ts'

/** A cursor that is none gives the first page. */
export function placeOf(cursor: string | undefined): Place | undefined {
  const [at = '', id = ''] = cursor?.split(' ') ?? []
  return uuidOf(id) && !Number.isNaN(Date.parse(at)) ? { at: new Date(at).toISOString(), id } : undefined
}

export const cursorOf = (place: Place | null): string | null => place && `${place.at} ${place.id}`

/** `2026-11-11` for the last seven days on the 17th. */
export function firstDay(days: number | undefined, now = Date.now()): string {
  return days === undefined ? ALL_TIME : new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10)
}
