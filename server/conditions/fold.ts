import { remembered } from '../../contract/content/remembered.ts'

/**
 * What `ignore_case` compares: letters in lower case, one character for one, the same in JavaScript and in PostgreSQL, whatever
 * locale the database has. Beyond ASCII it knows the letters of Latin, Greek, Cyrillic and Armenian.
 */
const RANGES = [
  [0xc0, 0x58f],
  [0x1e00, 0x1eff],
] as const

const pairs = RANGES.flatMap(([first, last]) =>
  Array.from({ length: last - first + 1 }, (_, index) => String.fromCharCode(first + index)),
)
  .map((upper) => [upper, upper.toLowerCase()] as const)
  .filter(([upper, lower]) => lower.length === 1 && lower !== upper)

const lowerOf = new Map(pairs)
const UPPER = pairs.map(([upper]) => upper).join('')
const LOWER = pairs.map(([, lower]) => lower).join('')

const BEYOND_ASCII = /[^\0-\x7f]/
const UPPER_LETTERS = new RegExp(`[A-Z${UPPER}]`, 'g')

function folded(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text.replace(UPPER_LETTERS, (letter) => lowerOf.get(letter) ?? letter.toLowerCase())
}

const LONG = 100
const foldedLong = remembered(folded)

/** A long text takes up to a millisecond, and the conditions of an environment may compare it 100,000 times in a decision. */
export function fold(text: string): string {
  return text.length < LONG ? folded(text) : foldedLong(text)
}

/** The same of a text in SQL. `translate` looks through all letters for each character, so ASCII alone goes without it. */
export function foldSql(text: string): string {
  const ascii = `lower(${text} collate "C")`
  return `case when octet_length(${text}) = length(${text}) then ${ascii} else translate(${ascii}, '${UPPER}', '${LOWER}') end`
}
