import type { AttributeInputs } from '../../../contract/attributes.ts'

const OPERATIONS = ['set', 'set_once', 'add', 'subtract']
/** As `ATTRIBUTE_NAME_PATTERN` of the contract says; a test compares them. Without its import the script is 1 KB smaller. */
export const NAME = /^(?!__proto__$)[a-zA-Z0-9_\- ]{1,100}$/

/**
 * What the API can hold. Lists, functions and names that it refuses are left out, each named in the console once; the rest
 * counts. Dates become their ISO form.
 */
export function cleanAttributes(given: unknown, warn: (text: string) => void = warnOnce): AttributeInputs {
  const kept: AttributeInputs = {}
  if (typeof given !== 'object' || given === null) return kept
  for (const [name, value] of Object.entries(given)) {
    const clean = cleanValue(value)
    const isName = NAME.test(name)
    if (isName && clean !== undefined) kept[name] = clean as AttributeInputs[string]
    else if (value !== undefined)
      warn(`the ${isName ? 'value' : 'name'} of the attribute ${JSON.stringify(name)} cannot be stored`)
  }
  return kept
}

function cleanValue(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString()
  if (typeof value !== 'object' || Array.isArray(value)) return undefined
  const operations = Object.entries(value as object).filter(([key]) => OPERATIONS.includes(key))
  if (operations.length === 0) return undefined
  const cleaned = operations.map(([key, operand]) => [key, cleanValue(operand)])
  if (cleaned.some(([, operand]) => operand === undefined || typeof operand === 'object')) return undefined
  const { data_type } = value as { data_type?: unknown }
  return { ...Object.fromEntries(cleaned), ...(data_type === undefined ? {} : { data_type }) }
}

const warned = new Set<string>()

export function warnOnce(text: string): void {
  if (warned.has(text) || warned.size > 100) return
  warned.add(text)
  console.warn(`usher: ${text}`)
}
