// Strings first, so that the digits inside them are passed over.
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const MOST = String(2 ** 53)

/**
 * Whether a whole number was written with more digits than a double holds. `JSON.parse` makes 9007199254740992 of
 * 9007199254740993, so the text decides; but only for a number that is too large to be exact, so that others cost nothing.
 * With an exponent or a fraction it was meant as a double. Without the text, the doubt counts.
 */
export function losesDigits(value: number, source: unknown): boolean {
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false
  if (!Buffer.isBuffer(source)) return true
  return wholeNumbersBeyond(source).has(value)
}

let lastSource: Buffer | undefined
let lastFound: ReadonlySet<number> = new Set()

/** Those of one body are looked up once, however many numbers it has. */
function wholeNumbersBeyond(source: Buffer): ReadonlySet<number> {
  if (source === lastSource) return lastFound
  const found = new Set<number>()
  for (const [token] of source.toString().matchAll(TOKEN)) if (isBeyond(token)) found.add(Number(token))
  lastSource = source
  lastFound = found
  return found
}

function isBeyond(token: string): boolean {
  if (!/^-?\d+$/.test(token)) return false
  const digits = token.replace('-', '')
  return digits.length > MOST.length || (digits.length === MOST.length && digits > MOST)
}
