import type { SchemaValidateFunction, ValidateFunction } from 'ajv'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { attributeProblem } from '../../contract/attributes.ts'
import { DATE_TIME_RULE, dateTimeProblem } from '../../contract/datetime.ts'
import type { Check } from '../../contract/schema.ts'
import { isTopic, TOPIC_RULE } from '../../contract/topics.ts'
import { errors } from '../errors.ts'

/** Validates bodies and queries against their schemas, and says of every problem where it is and what to do. */

// Our schemas are not held against the schema of schemas at every start: compiling that alone would take longer than they do.
const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  validateFormats: false,
  meta: false,
  validateSchema: false,
} as const

// Coercion corrupts bodies (`5` became `"5"`, `null` became `""`), but a query string has nothing but strings.
// Without `strictNumbers`, 1e309 (Infinity once it is parsed) passes for a number; with it, a query's `limit=1e309` passes
// its maximum, since what coercion makes is then not compared.
const bodies = withChecks(new Ajv2020({ ...options, strictNumbers: true }))
const queries = withChecks(new Ajv2020({ ...options, coerceTypes: 'array', useDefaults: true }))

/**
 * A check that throws what is wrong; of a query, it also makes numbers and lists of the strings. A schema is compiled when
 * the first request needs it: all of them together took 0.12 s of every start.
 */
export function validator(schema: object, part: 'query' | 'body'): (data: unknown) => void {
  let compiled: ValidateFunction | undefined
  return (data) => {
    compiled ??= (part === 'query' ? queries : bodies).compile(schema)
    if (!compiled(data)) throw errors.invalidParams((compiled.errors ?? []).flatMap(describe))
  }
}

const checks: Record<Check, (value: unknown) => { key?: string; message: string } | undefined> = {
  attribute: attributeProblem,
  'date-time': (value) => {
    const message = typeof value === 'string' ? dateTimeProblem(value) : undefined
    return message === undefined ? undefined : { message }
  },
  topic: (value) => (typeof value !== 'string' || isTopic(value) ? undefined : { message: TOPIC_RULE }),
}

function withChecks(ajv: Ajv2020): Ajv2020 {
  const validate: SchemaValidateFunction = (name: Check, data: unknown, _schema, context) => {
    const problem = checks[name](data)
    if (!problem) return true
    const instancePath = (context?.instancePath ?? '') + (problem.key === undefined ? '' : `/${problem.key}`)
    validate.errors = [{ keyword: 'x-check', instancePath, message: problem.message, params: {} }]
    return false
  }
  return ajv.addKeyword({ keyword: 'x-check', validate }).addKeyword('x-rule')
}

function describe(error: ErrorObject): string[] {
  const path = fieldPath(error)
  const message = wording(error)
  return message === undefined ? [] : [path === '' ? message : `${path}: ${message}`]
}

const typeNames: Record<string, string> = {
  array: 'an array',
  object: 'an object',
  integer: 'a whole number',
  null: 'null',
}

function wording({ keyword, params, parentSchema, message, data }: ErrorObject): string | undefined {
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a known field; check the spelling, or leave it out'
    case 'type':
      if (data === Infinity || data === -Infinity) return 'must be a number that a 64-bit double can hold'
      if (parentSchema?.['x-check'] === 'date-time') return DATE_TIME_RULE
      return parentSchema?.type === 'null' ? parentSchema['x-rule'] : `must be ${types(params.type)}`
    case 'pattern':
      return parentSchema?.['x-rule']
    case 'enum':
      return `must be one of ${params.allowedValues.filter((value: unknown) => value !== null).join(', ')}`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minLength':
      return `must have at least ${params.limit} character`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'minItems':
      return `must have at least ${params.limit} item`
    case 'minimum':
    case 'maximum':
      return `must be a whole number from ${parentSchema?.minimum} to ${parentSchema?.maximum}`
    case 'x-check':
      return message
    default:
      // `propertyNames` only repeats what the error of the name itself says.
      return keyword === 'propertyNames' ? undefined : (message ?? 'is not valid')
  }
}

function types(type: string | string[]): string {
  const names = [type].flat().filter((name) => name !== 'null')
  if (names.length === 4) return 'a string, a number, a boolean, null or an operation object'
  return names
    .map((name) => typeNames[name] ?? `a ${name}`)
    .join(' or ')
    .replace(/ or (?=.* or )/g, ', ')
}

/** `/groups/0/attributes/seats` → `groups[0].attributes.seats`, with the name of a field that is missing or too many at its end. */
function fieldPath({ instancePath, params, propertyName, keyword }: ErrorObject): string {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  if (keyword === 'required') steps.push(params.missingProperty)
  if (keyword === 'additionalProperties') steps.push(params.additionalProperty)
  if (propertyName !== undefined) steps.push(propertyName)
  return steps
    .map((step, index) =>
      /^\d+$/.test(step) && index > 0 && isListName(steps[index - 1])
        ? `[${step}]`
        : index === 0
          ? shorten(step)
          : `.${shorten(step)}`,
    )
    .join('')
}

const isListName = (step: string | undefined) =>
  step === 'groups' ||
  step === 'memberships' ||
  step === 'topics' ||
  step === 'order_by' ||
  step === 'expand' ||
  step === 'event_name'

/** A hostile name can be a megabyte long; the message shows its beginning. */
const shorten = (step: string) => (step.length > 120 ? `${step.slice(0, 120)}…` : step)
