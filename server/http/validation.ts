import type { ValidateFunction } from 'ajv'
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { errors } from '../errors.ts'
import { queryReader } from './query-values.ts'
import { addKeywords } from './validation-keywords.ts'
import { problemsOf } from './validation-messages.ts'

/** Validates bodies and queries against their schemas, and says of every problem where it is and what to do. */

// Our schemas are not held against the schema of schemas at every start: compiling that alone would take longer than they do.
// Nothing is coerced by ajv: it makes `"5"` of `5` and `""` of `null`. Without `strictNumbers`, 1e309 (Infinity once it is
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
 * A check that throws what is wrong; of a query, it also makes numbers and lists of the strings. A schema is compiled when
 * the first request needs it: all of them together took 0.12 s of every start.
 */
export function validator(schema: object, part: 'query' | 'body'): Validator {
  let compiled: ValidateFunction | undefined
  const read = part === 'query' ? queryReader(schema) : undefined
  return (data, source) => {
    compiled ??= (part === 'query' ? queries : bodies).compile(schema)
    const unread = read?.(data as Record<string, unknown>) ?? []
    if (compiled.call(source as never, data) && unread.length === 0) return
    throw errors.invalidParams([...unread, ...problemsOf((compiled.errors ?? []) as ErrorObject[])])
  }
}
