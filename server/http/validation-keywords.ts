import type { CodeKeywordDefinition, SchemaValidateFunction } from 'ajv'
import { _, type Ajv2020 } from 'ajv/dist/2020.js'
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
      .addKeyword(check)
      .addKeyword(exact)
      // With a type, ajv calls these for numbers alone: other values cost nothing.
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

/**
 * These two are code of their own in the compiled function. A keyword that is a function is called with the path of the value,
 * which ajv composes before it knows of any problem: 0.3 µs for each attribute.
 */
const check: CodeKeywordDefinition = {
  keyword: 'x-check',
  schemaType: 'string',
  code: (cxt) => {
    const { gen, data } = cxt
    const name = cxt.schema as Check
    const checked = gen.scopeValue('func', { ref: checks[name] })
    // Most attributes are literals, which have nothing to check.
    gen.if(name === 'attribute' ? _`typeof ${data} === 'object'` : true, () => {
      const found = gen.const('found', _`${checked}(${data})`)
      cxt.setParams({ found })
      cxt.fail(found)
    })
  },
  error: {
    message: ({ params: { found } }) => _`${found}.message`,
    params: ({ params: { found } }) => _`{key: ${found}.key, isNested: ${found}.isNested}`,
  },
}

const DIGITS_RULE = 'is a whole number beyond ±2^53, which would lose digits; send it as a string'

const exact: CodeKeywordDefinition = {
  keyword: 'x-exact',
  type: 'number',
  code: (cxt) => {
    const { gen, data } = cxt
    const loses = gen.scopeValue('func', { ref: losesDigits })
    cxt.fail(_`!Number.isSafeInteger(${data}) && ${loses}(${data}, this)`)
  },
  error: { message: DIGITS_RULE },
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
