import type { TimeLeaf, weekdays } from '../../contract/conditions/condition.ts'
import { readDateTime } from '../../contract/datetime.ts'

/** Whether a leaf about the time holds at this moment, in milliseconds since 1970. The same for every user. */
export function timeHolds(leaf: TimeLeaf, now: number): boolean {
  if ('zone' in leaf) return fitsClock(leaf, localTime(leaf.zone, now))
  const { after, before } = leaf as { after?: string; before?: string }
  const at = (text: string) => readDateTime(text)?.milliseconds ?? Number.NaN
  return (after === undefined || now >= at(after)) && (before === undefined || now < at(before))
}

interface LocalTime {
  weekday: string
  /** `09:05`. */
  clock: string
}

/** From 22:00 to 06:00 is over midnight, and counts to the day on which it is. */
function fitsClock(leaf: Extract<TimeLeaf, { zone: string }>, { weekday, clock }: LocalTime): boolean {
  if (leaf.weekdays && !leaf.weekdays.includes(weekday as (typeof weekdays)[number])) return false
  if (leaf.from === undefined || leaf.to === undefined) return true
  return leaf.from <= leaf.to ? clock >= leaf.from && clock < leaf.to : clock >= leaf.from || clock < leaf.to
}

interface Zone {
  format: Intl.DateTimeFormat
  minute: number
  local: LocalTime
}

const MOST_ZONES = 1_000
const zones = new Map<string, Zone>()

/** To format a time takes 2 µs, so that of the last minute is kept. */
function localTime(zone: string, now: number): LocalTime {
  const minute = Math.floor(now / 60_000)
  const known = zones.get(zone)
  if (known?.minute === minute) return known.local
  const format = known?.format ?? formatOf(zone)
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]))
  const local = { weekday: String(parts.weekday).toLowerCase(), clock: `${parts.hour}:${parts.minute}` }
  if (zones.size >= MOST_ZONES) zones.clear()
  zones.set(zone, { format, minute, local })
  return local
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}
