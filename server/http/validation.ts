import type { ValidateFunction } from 'ajv'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { errors, type FieldProblem } from '../errors.ts'
import { queryReader } from './query-values.ts'
import { addKeywords } from './validation-keywords.ts'
import { problemsOf } from './validation-messages.ts'

/** Validates bodies and queries against their schemas. Every problem names its field and the remedy. */

// Our schemas are not validated against the meta-schema at every start: compiling that alone would take longer than all of them.
// ajv coerces nothing: it would turn `5` into `"5"` and `null` into `""`. Without `strictNumbers`, 1e309 (Infinity once it is
// parsed) passes for a number. The context is the text of the body.
const options = {
  allErrors: true,
  verbose: true,
  strict: false,
  strictNumbers: true,
  validateFormats: false,
  meta: false,
  validateSchema: false,
  passContext: true,
} as const

const bodies = addKeywords(new Ajv2020(options))
const queries = addKeywords(new Ajv2020({ ...options, useDefaults: true }))

/** `source` is the text that the data was parsed from: a number in it may have lost digits. */
export type Validator = (data: unknown, source?: Buffer) => void

/**
 * A check that throws the problems. For a query it also converts the strings to numbers and lists. A schema is compiled at
 * the first request that needs it: all of them together took 0.12 s of every start.
 */
export function validator(schema: object, part: 'query' | 'body'): Validator {
  let compiled: ValidateFunction | undefined
  const read = part === 'query' ? queryReader(schema) : undefined
  return (data, source) => {
    compiled ??= (part === 'query' ? queries : bodies).compile(schema)
    const unread = read?.(data as Record<string, unknown>) ?? []
    if (compiled.call(source as never, data) && unread.length === 0) return
    // A parameter that was not read is missing for the schema.
    const found = problemsOf((compiled.errors ?? []) as ErrorObject[], data)
    throw errors.invalidParams([...unread, ...found.filter(({ param }) => !named(unread).has(param))])
  }
}

function named(problems: readonly FieldProblem[]): ReadonlySet<string | undefined> {
  return new Set(problems.map(({ param }) => param))
}
