import { DAY_MS } from '../../contract/units.ts'
import type { Results } from './queries.ts'

type Days = Results['days']

/** In per cent, up to today, whose point is not final. A day without runs has no share: it is not nought. */
export function completedSeries(days: Days, now: Date) {
  const first = days[0]
  const from = first ? startOf(first.day) : now.getTime()
  const length = first ? Math.floor((now.getTime() - from) / DAY_MS) + 1 : 0
  const byDay = new Map(days.map((day) => [day.day, day]))
  const values = Array.from({ length }, (_, index) => {
    const day = byDay.get(new Date(from + index * DAY_MS).toISOString().slice(0, 10))
    return day && day.seen > 0 ? shareOf(day) : null
  })
  return { from: new Date(from).toISOString(), step_seconds: 86_400, values }
}

/** What a screen reader hears of the line. */
export function overTimeWords(days: Days, dateOf: (at: string) => string): string {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return 'Nobody has seen it.'
  const at = (day: Days[number]) => `${shareOf(day)} on ${dateOf(`${day.day}T00:00:00Z`)}`
  return `Completed runs of each day in per cent: ${at(first)}, ${at(last)}.`
}

const shareOf = ({ completed, seen }: Days[number]) => Math.round((100 * completed) / seen)
const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`)
