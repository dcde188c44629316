import type { ErrorObject } from 'ajv/dist/2020.js'
import { ATTRIBUTE_RULE } from '../../contract/attributes.ts'
import { DATE_TIME_RULE } from '../../contract/datetime.ts'
import type { FieldProblem } from '../errors.ts'

/** The errors that ajv found in the data, as text: every problem with the path of its field and the remedy. */
export function problemsOf(found: readonly ErrorObject[], data: unknown): FieldProblem[] {
  const nested = new Set(found.filter(({ params }) => params.isNested).map(({ instancePath }) => instancePath))
  return found
    .filter(({ keyword, instancePath }) => keyword !== 'additionalProperties' || !nested.has(instancePath))
    .flatMap((error) => {
      const message = wording(error)
      return message === undefined ? [] : [{ param: fieldPath(error, data), message }]
    })
}

function wording(error: ErrorObject): string | undefined {
  const { keyword, params, parentSchema, message, propertyName } = error
  if (propertyName !== undefined) return `the attribute name \`${shorten(propertyName)}\` ${parentSchema?.['x-rule']}`
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a known field; check the spelling, or leave it out'
    case 'type':
      return typeWording(error)
    case 'pattern':
      return parentSchema?.['x-rule']
    case 'enum':
      return `must be one of ${params.allowedValues.filter((value: unknown) => value !== null).join(', ')}`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minLength':
      return `must have at least ${params.limit} character`
    case 'maxItems':
      return params.limit === 0 ? 'must be an object' : `must have at most ${params.limit} items`
    case 'minItems':
      return `must have at least ${params.limit} item`
    case 'minimum':
    case 'maximum':
      return wholeNumber(parentSchema)
    case 'propertyNames':
      // It only repeats the error of the name.
      return undefined
    default:
      return message ?? 'is not valid'
  }
}

function typeWording({ params, parentSchema, data }: ErrorObject): string {
  if (data === Infinity || data === -Infinity) return 'must be a number that a 64-bit double can hold'
  if (parentSchema?.['x-check'] === 'date-time') return DATE_TIME_RULE
  if (parentSchema?.['x-check'] === 'attribute')
    return `is ${Array.isArray(data) ? 'an array' : 'not one'}; ${ATTRIBUTE_RULE}`
  if (parentSchema?.type === 'null' || parentSchema?.['x-as-read']) return parentSchema['x-rule']
  if (parentSchema?.maximum !== undefined) return wholeNumber(parentSchema)
  return `must be ${types(params.type)}`
}

const wholeNumber = (schema: ErrorObject['parentSchema']) =>
  schema?.maximum === undefined
    ? `must be a whole number of at least ${schema?.minimum}, in digits`
    : `must be a whole number from ${schema.minimum} to ${schema.maximum}, in digits`

const typeNames: Record<string, string> = {
  array: 'an array',
  object: 'an object',
  integer: 'a whole number',
}

function types(type: string | string[]): string {
  const names = [type].flat().filter((name) => name !== 'null')
  // An empty array is accepted as an empty map; the message does not mention it.
  if (names.join() === 'object,array') return 'an object'
  return names
    .map((name) => typeNames[name] ?? `a ${name}`)
    .join(' or ')
    .replace(/ or (?=.* or )/g, ', ')
}

/**
 * `/groups/0/attributes/seats` → `groups[0].attributes.seats`, with the name of a field that is missing or too many, or that a
 * check has named, at its end.
 */
function fieldPath({ instancePath, params, keyword }: ErrorObject, data: unknown): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required') steps.push(params.missingProperty)
  if (keyword === 'additionalProperties') steps.push(params.additionalProperty)
  if (keyword === 'x-check' && params.key !== undefined) steps.push(params.key)
  let path = ''
  let at = data
  for (const step of steps) {
    path += Array.isArray(at) ? `[${step}]` : `${path === '' ? '' : '.'}${shorten(step)}`
    at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined
  }
  return path
}

/** A hostile name can be a megabyte long; the message shows its beginning. */
const shorten = (step: string) => (step.length > 120 ? `${step.slice(0, 120)}…` : step)
