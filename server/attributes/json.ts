import type { Attributes, AttributeValue } from '../../contract/attributes.ts'

/**
 * The JSON text of attributes, byte for byte as PostgreSQL prints the same `jsonb`, so that a write and every later
 * read answer the same. Names are ASCII without quotes or backslashes, so they need no escaping.
 */
export function toAttributesJson(attributes: Attributes): string {
  const names = Object.keys(attributes)
  if (!areInOrder(names)) names.sort(byJsonbOrder)
  return toOrderedJson(names, attributes)
}

/** The same with names that are in order already. An attribute without a value is left out. */
export function toOrderedJson<Name extends string>(
  names: readonly Name[],
  attributes: Readonly<Partial<Record<Name, AttributeValue | undefined>>>,
): string {
  let text = '{'
  for (const name of names) {
    const value = attributes[name]
    if (value === undefined) continue
    if (text.length > 1) text += ', '
    text += `"${name}": ${valueJson(value)}`
  }
  return `${text}}`
}

/** Stored attributes are, and most changes add no name. */
function areInOrder(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index += 1)
    if (byJsonbOrder(names[index - 1] as string, names[index] as string) > 0) return false
  return true
}

/** Shorter names first, names of one length by their bytes. */
export function byJsonbOrder(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}

function valueJson(value: AttributeValue): string {
  if (typeof value === 'number') return numberJson(value)
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/**
 * JavaScript prints very large and very small numbers with an exponent; `numeric` prints digits. A number beyond 2^53
 * gets `.0`: the API refuses such a number in digits alone, and clients can send back what they read.
 */
function numberJson(value: number): string {
  const text = String(value)
  const exponentAt = text.indexOf('e')
  const digits = exponentAt < 0 ? text : withoutExponent(text.slice(0, exponentAt), Number(text.slice(exponentAt + 1)))
  return Math.abs(value) > 2 ** 53 ? `${digits}.0` : digits
}

function withoutExponent(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : ''
  const [whole = '', fraction = ''] = mantissa.slice(sign.length).split('.')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`
  return sign + whole + fraction.padEnd(exponent, '0')
}
