const NUMBER = /-?\d[\d.eE+-]*/g
const MOST = String(2 ** 53)
const BACKSLASH = 92

/**
 * Whether a whole number was written with more digits than a double holds. `JSON.parse` makes 9007199254740992 of
 * 9007199254740993, so the text is checked, but only for a number too large to be exact, so that others cost nothing. A
 * number with an exponent or a fraction was meant as a double. Without the text, the number counts as inexact.
 */
export function losesDigits(value: number, source: unknown): boolean {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false
  if (!Buffer.isBuffer(source)) return true
  return wholeNumbersBeyond(source).has(value)
}

/** Whether a text has such a number. Parsed and written again, it would be another one. */
export function hasInexact(source: Buffer): boolean {
  return wholeNumbersBeyond(source).size > 0
}

let lastSource: Buffer | undefined
let lastFound: ReadonlySet<number> = new Set()

/** Cached for the last body, which may have many numbers. */
function wholeNumbersBeyond(source: Buffer): ReadonlySet<number> {
  if (source === lastSource) return lastFound
  const found = new Set<number>()
  for (const text of outsideStrings(source.toString()))
    for (const [token] of text.matchAll(NUMBER)) if (isBeyond(token)) found.add(Number(token))
  lastSource = source
  lastFound = found
  return found
}

/** The text between the strings of a JSON text. Scanned: a regular expression needs a stack for a string of megabytes. */
function* outsideStrings(text: string): Iterable<string> {
  let from = 0
  for (let open = text.indexOf('"'); open >= 0; open = text.indexOf('"', from)) {
    yield text.slice(from, open)
    from = endOfString(text, open)
  }
  yield text.slice(from)
}

/** A quote after an odd number of backslashes is part of the string. */
function endOfString(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    let first = close
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
    if ((close - first) % 2 === 0) return close + 1
  }
  return text.length
}

function isBeyond(token: string): boolean {
  if (!/^-?\d+$/.test(token)) return false
  const digits = token.replace('-', '')
  return digits.length > MOST.length || (digits.length === MOST.length && digits > MOST)
}
