/** Set between a figure and its unit. */
export const THIN_SPACE = '\u2009'

const MILLION = 1_000_000

/** Our own figures: in full up to 9,999,999, then in millions. Values of users' data are never shown through this. */
export function count(value: number, locale?: string): string {
  if (Math.abs(value) < 10 * MILLION) return value.toLocaleString(locale, { maximumFractionDigits: 0 })
  const millions = (value / MILLION).toLocaleString(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return `${millions}${THIN_SPACE}M`
}

const STEPS: [number, string][] = [
  [1_000_000_000, 'B'],
  [MILLION, 'M'],
  [1000, 'k'],
]

/** For an axis: 1,200 stays, 40,000 is 40 k. */
export function short(value: number, locale?: string): string {
  const step = STEPS.find(([size]) => value >= size * (size === 1000 ? 10 : 1))
  if (!step) return value.toLocaleString(locale, { maximumFractionDigits: 2 })
  const [size, unit] = step
  return `${(value / size).toLocaleString(locale, { maximumFractionDigits: 1 })}${THIN_SPACE}${unit}`
}

/** The figure without its sign. One decimal, two below 1 and above 99; never 100 or 0 when it is not exactly that. */
export function percentFigure(part: number, whole: number, locale?: string): string {
  if (whole === 0) return '–'
  if (part === 0 || part === whole) return (part === 0 ? 0 : 100).toLocaleString(locale)
  const share = (100 * part) / whole
  const digits = share > 99 || share < 1 ? 2 : 1
  const least = 10 ** -digits
  const kept = Math.min(100 - least, Math.max(least, share))
  return kept.toLocaleString(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export function percent(part: number, whole: number, locale?: string): string {
  const figure = percentFigure(part, whole, locale)
  return figure === '–' ? figure : `${figure}${THIN_SPACE}%`
}

/** 1 byte, 486 bytes, 4 KB. */
export function bytes(size: number, locale?: string): string {
  if (size < 1024) return `${size.toLocaleString(locale)} ${size === 1 ? 'byte' : 'bytes'}`
  const units = ['KB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length, Math.floor(Math.log(size) / Math.log(1024)))
  const figure = size / 1024 ** power
  return `${figure.toLocaleString(locale, { maximumFractionDigits: figure < 10 ? 1 : 0 })}${THIN_SPACE}${units[power - 1]}`
}

/** A count that stops at a bound: with `is_more`, there are more than `count`. */
export type Bounded = { count: number; is_more: boolean }

/** For a figure: 312, or 1,000+ where the count stopped. */
export function bounded({ count: figure, is_more }: Bounded, locale?: string): string {
  return `${count(figure, locale)}${is_more ? '+' : ''}`
}

/** With a capital, to begin a sentence. */
export const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

/** For a sentence: "312 deliveries", or "more than 1,000 deliveries" where the count stopped. */
export function boundedWords({ count: figure, is_more }: Bounded, one: string, many?: string, locale?: string): string {
  return `${is_more ? 'more than ' : ''}${counted(figure, one, many, locale)}`
}

/** "1 delivery", "312 deliveries". */
export function counted(value: number, one: string, many = `${one}s`, locale?: string): string {
  return `${count(value, locale)} ${value === 1 ? one : many}`
}
