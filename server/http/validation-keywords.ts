import type { SchemaValidateFunction } from 'ajv'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { attributeProblem } from '../../contract/attributes.ts'
import { dateTimeProblem } from '../../contract/datetime.ts'
import { limits } from '../../contract/limits.ts'
import type { Check } from '../../contract/schema.ts'
import { isTopic, TOPIC_RULE } from '../../contract/topics.ts'
import { losesDigits } from './whole-numbers.ts'

interface FieldProblem {
  key?: string
  message: string
  isNested?: boolean
}

/** The keywords of contract/schema.ts that are checked in code. */
export function addKeywords(ajv: Ajv2020): Ajv2020 {
  return (
    ajv
      .addKeyword('x-rule')
      .addKeyword('x-states')
      .addKeyword({ keyword: 'x-check', validate: check })
      // With a type, ajv calls these for numbers alone: other values cost nothing.
      .addKeyword({ keyword: 'x-exact', type: 'number', validate: exact })
      .addKeyword({ keyword: 'x-id', type: 'number', modifying: true, validate: decimalText })
      .addKeyword({ keyword: 'x-as-read', type: ['object', 'array'], validate: asRead })
  )
}

const checks: Record<Check, (value: unknown) => FieldProblem | undefined> = {
  attribute: attributeProblem,
  'date-time': (value) => problem(typeof value === 'string' ? dateTimeProblem(value) : undefined),
  topic: (value) => problem(typeof value === 'string' && !isTopic(value) ? TOPIC_RULE : undefined),
  topics: (value) =>
    problem(
      Array.isArray(value) && new Set(value).size > limits.topicsPerSubscription
        ? `must have at most ${limits.topicsPerSubscription} different topics`
        : undefined,
    ),
}

function problem(message: string | undefined): FieldProblem | undefined {
  return message === undefined ? undefined : { message }
}

const check: SchemaValidateFunction = (name: Check, data: unknown, _schema, context) => {
  const found = checks[name](data)
  if (!found) return true
  const instancePath = (context?.instancePath ?? '') + (found.key === undefined ? '' : `/${found.key}`)
  check.errors = [{ keyword: 'x-check', instancePath, message: found.message, params: { isNested: found.isNested } }]
  return false
}

const DIGITS_RULE = 'is a whole number beyond ±2^53, which would lose digits; send it as a string'

function exact(this: unknown, _: unknown, data: number): boolean {
  if (!losesDigits(data, this)) return true
  ;(exact as SchemaValidateFunction).errors = [{ keyword: 'x-exact', message: DIGITS_RULE, params: {} }]
  return false
}

function decimalText(
  this: unknown,
  _: unknown,
  data: number,
  _schema?: unknown,
  context?: { parentData: Record<string, unknown>; parentDataProperty: string | number },
): boolean {
  // The type refuses a fraction.
  if (!Number.isInteger(data)) return true
  if (losesDigits(data, this)) {
    ;(decimalText as SchemaValidateFunction).errors = [{ keyword: 'x-id', message: DIGITS_RULE, params: {} }]
    return false
  }
  if (context) context.parentData[context.parentDataProperty] = String(BigInt(data))
  return true
}

/** Objects from a response have their `object` field. */
const asRead: SchemaValidateFunction = (object: string, data: unknown, schema) => {
  if ([data].flat().every((item) => (item as { object?: unknown } | null)?.object === object)) return true
  const message = (schema as { 'x-rule': string })['x-rule']
  asRead.errors = [{ keyword: 'x-as-read', message, params: {} }]
  return false
}
