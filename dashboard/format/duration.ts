import { THIN_SPACE } from './number.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNITS: [number, string][] = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'min'],
  [SECOND, 's'],
]

const unit = (figure: string | number, name: string) => `${figure}${THIN_SPACE}${name}`

/** 0.9 ms, 84 ms, 2.14 s, 6 min 15 s, 3 h 12 min: two units at most. */
export function duration(ms: number): string {
  if (ms < 1) return unit(ms === 0 ? 0 : Math.max(0.1, ms).toFixed(1), 'ms')
  if (ms < 999.5) return unit(Math.round(ms), 'ms')
  if (ms < 59_995) return unit((ms / SECOND).toFixed(2), 's')
  return whole(ms)
}

/** Whole units only, for ages and countdowns: 13 min, 6 min 15 s. */
export function whole(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / SECOND)) * SECOND
  const first = UNITS.findIndex(([size]) => seconds >= size)
  if (first === -1) return unit(0, 's')
  const parts = UNITS.slice(first, first + 2).map(([size, name], index) => {
    const rest = index === 0 ? seconds : seconds % (UNITS[first]?.[0] ?? 1)
    return [Math.floor(rest / size), name] as const
  })
  return parts
    .filter(([figure]) => figure > 0)
    .map(([figure, name]) => unit(figure, name))
    .join(' ')
}

/** An age in its largest unit: 13 min, 4 h, 2 d. */
export function roughly(ms: number): string {
  const [size, name] = UNITS.find(([size]) => ms >= size) ?? [SECOND, 's']
  return unit(Math.max(0, Math.floor(ms / size)), name)
}
