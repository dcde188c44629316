import type { AttributeInputs } from '../../../contract/attributes.ts'
import { warnOnce } from '../safely.ts'

const OPERATION = /^(set(_once)?|add|subtract)$/
/** As `ATTRIBUTE_NAME_PATTERN` of the contract says; a test compares them. Without its import the script is 1 KB smaller. */
export const NAME = /^(?!__proto__$)[a-zA-Z0-9_\- ]{1,100}$/
/** As `storable` and the longest text of the contract say; a test compares them. */
export const TEXT = /^[^\0\ud800-\udfff]{0,8192}$/u
/** Written out, a whole number of so many digits may have lost some, which the API refuses. Letters: Infinity and NaN. */
const INEXACT = /^-?\d{17}|[IN]/

/**
 * What the API can hold. Lists, functions, and names, texts and numbers that it refuses are left out, each named in the
 * console once; the rest counts. Dates become their ISO form.
 */
export function cleanAttributes(given: unknown, warn: (text: string) => void = warnOnce): AttributeInputs {
  const kept: AttributeInputs = {}
  for (const [name, value] of Object.entries((typeof given === 'object' && given) || {})) {
    const clean = cleanValue(value)
    const isName = NAME.test(name)
    if (isName && clean !== undefined) kept[name] = clean as AttributeInputs[string]
    else if (value !== undefined) warn(`the ${isName ? 'value' : 'name'} of ${JSON.stringify(name)} was left out`)
  }
  return kept
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return TEXT.test(value) ? value : undefined
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number' && !INEXACT.test(`${value}`)) return value
  if (value instanceof Date) return Number.isNaN(+value) ? undefined : value.toISOString()
  const [first, second] = Object.entries(Object(value)).filter(([key]) => OPERATION.test(key))
  if (!first || second) return undefined
  const [key, given] = first
  const operand = cleanValue(given)
  if (operand === undefined || typeof operand === 'object') return undefined
  return { [key]: operand, data_type: (value as { data_type?: unknown }).data_type }
}
