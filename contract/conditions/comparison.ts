import { limits } from '../limits.ts'
import type { Operator } from './condition.ts'
import { anyNumber, duration, type Field, instant, listOf, type Problem, textUpTo } from './fields.ts'
import { type Operand, operands } from './operators.ts'

const text = textUpTo(limits.stringValueCharacters)
const someText: Field = {
  schema: { ...text.schema, minLength: 1 },
  problem: (value) =>
    value === '' ? 'must not be empty; use exists to ask whether there is a value' : text.problem(value),
}

/** The field that has the operand of an operator, and its check. */
const checks: Readonly<Record<Operand, Field & { key?: 'value' | 'values' }>> = {
  none: { schema: {}, problem: () => undefined },
  scalar: {
    key: 'value',
    schema: { anyOf: [text.schema, anyNumber.schema] },
    problem: (value) => {
      if (typeof value === 'boolean') return 'must be a text or a number; for booleans use is: "true" or is: "false"'
      return typeof value === 'number' ? anyNumber.problem(value) : text.problem(value)
    },
  },
  text: { key: 'value', ...someText },
  texts: { key: 'values', ...listOf(text, limits.valuesPerLeaf, 'texts') },
  number: { key: 'value', ...anyNumber },
  range: {
    key: 'values',
    schema: { type: 'array', items: anyNumber.schema, minItems: 2, maxItems: 2 },
    problem: (value) => {
      const [low, high, ...others] = Array.isArray(value) ? (value as unknown[]) : []
      if (others.length > 0 || anyNumber.problem(low) || anyNumber.problem(high))
        return 'must be two numbers, such as [1, 5]'
      return Number(low) <= Number(high) ? undefined : 'must have the lower number first'
    },
  },
  instant: { key: 'value', ...instant },
  duration: { key: 'value', ...duration },
}

/** The same in JSON Schema, for an object with `is`: what each operator has beside it. */
export const comparisonSchemas: readonly object[] = (Object.keys(checks) as Operand[]).map((operand) => {
  const { key, schema } = checks[operand]
  const operators = Object.keys(operands).filter((is) => operands[is as Operator] === operand)
  const has = (name: 'value' | 'values') => (name === key ? schema : false)
  return {
    if: { properties: { is: { enum: operand === 'none' ? [...operators, 'filled'] : operators } }, required: ['is'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: {
      ...(key && { required: [key] }),
      properties: { value: has('value'), values: has('values'), ...ignoreCaseSchema(operand) },
      ...(operand === 'scalar' && { dependentSchemas: { ignore_case: { properties: { value: text.schema } } } }),
    },
  }
})

function ignoreCaseSchema(operand: Operand): object {
  return ['scalar', 'text', 'texts'].includes(operand) ? {} : { ignore_case: false }
}

/** What is wrong with the operand of a comparison. Nothing is known of that of an unknown operator. */
export function comparisonProblems(leaf: Record<string, unknown>, path: (key: string) => string): Problem[] {
  const is = String(leaf.is) as Operator | 'filled'
  if (is !== 'filled' && !Object.hasOwn(operands, is)) return []
  const operand = is === 'filled' ? 'none' : operands[is]
  const { key, problem } = checks[operand]
  const problems: Problem[] = []
  for (const other of ['value', 'values'] as const)
    if (other !== key && leaf[other] !== undefined) problems.push({ path: path(other), message: remedy(is, key) })
  if (key !== undefined) {
    const message = leaf[key] === undefined ? 'is required' : problem(leaf[key])
    if (message !== undefined) problems.push({ path: path(key), message })
  }
  if (leaf.ignore_case !== undefined && !comparesText(is, leaf.value))
    problems.push({ path: path('ignore_case'), message: `has no meaning with ${is}; leave it out` })
  return problems
}

function remedy(is: string, key: string | undefined): string {
  return key === undefined ? `is not used by ${is}; leave it out` : `is not used by ${is}; use ${key}`
}

function comparesText(is: string, value: unknown): boolean {
  const operand = operands[is as Operator]
  return operand === 'text' || operand === 'texts' || (operand === 'scalar' && typeof value === 'string')
}
