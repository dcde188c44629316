import type { ValidateFunction } from 'ajv'
import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js'
import { limits } from '../../contract/limits.ts'
import { errors } from '../errors.ts'
import { queryReader } from './query-values.ts'
import { addKeywords } from './validation-keywords.ts'
import { problemsOf } from './validation-messages.ts'

/** Validates bodies and queries against their schemas. Every problem names its field and the remedy. */

// Our schemas are not validated against the meta-schema at every start: compiling that alone would take longer than all of them.
// ajv coerces nothing: it would turn `5` into `"5"` and `null` into `""`. Without `strictNumbers`, 1e309 (Infinity once it is
// parsed) passes for a number. The context is the text of the body.
const options = {
  verbose: true,
  strict: false,
  strictNumbers: true,
  validateFormats: false,
  meta: false,
  validateSchema: false,
  passContext: true,
} as const

const compilers = {
  body: compilersOf(options),
  query: compilersOf({ ...options, useDefaults: true }),
}

/** One stops at the first problem, the other looks for all. */
function compilersOf(own: Options): { first: Ajv2020; all: Ajv2020 } {
  return { first: addKeywords(new Ajv2020(own)), all: addKeywords(new Ajv2020({ ...own, allErrors: true })) }
}

/** `source` is the text that the data was parsed from: a number in it may have lost digits. */
export type Validator = (data: unknown, source?: Buffer) => void

/**
 * A check that throws the problems. For a query it also converts the strings to numbers and lists. A schema is compiled at
 * the first request that needs it: all of them together took 0.12 s of every start.
 */
export function validator(schema: object, part: 'query' | 'body'): Validator {
  const { first, all } = compilers[part]
  let checkFirst: ValidateFunction | undefined
  const read = part === 'query' ? queryReader(schema) : undefined
  return (data, source) => {
    checkFirst ??= first.compile(schema)
    const unread = read?.(data as Record<string, unknown>) ?? []
    if (checkFirst.call(source as never, data) && unread.length === 0) return
    // ajv keeps the functions that it has compiled.
    const check = isSmall(data, source) ? all.compile(schema) : checkFirst
    check.call(source as never, data)
    // A parameter that was not read is missing for the schema.
    const names = new Set<string | undefined>(unread.map(({ param }) => param))
    const found = problemsOf((check.errors ?? []) as ErrorObject[], data).filter(({ param }) => !names.has(param))
    throw errors.invalidParams([...unread, ...found])
  }
}

const MOST_VALUES = 2_000

/**
 * Whether all problems are told. ajv keeps them all: a batch of 10 MiB with 900,000 wrong names took 0.9 GB. For each problem
 * of a keyword that is a function it also copies those before it.
 */
function isSmall(data: unknown, source: Buffer | undefined): boolean {
  if (source && source.length > limits.bodyBytes) return false
  const values = [data]
  for (const value of values) {
    if (typeof value !== 'object') continue
    for (const name in value) {
      if (values.length === MOST_VALUES) return false
      values.push((value as Record<string, unknown>)[name])
    }
  }
  return true
}
