import { type DocumentProblem, type DocumentSchema, isObject, schemaProblems, wholeProblems } from './check.ts'
import { contentSchema } from './schema.ts'

/**
 * Every problem of a value that should be the draft of an editor. A draft may be unfinished: texts are empty, lists too short,
 * addresses and conditions half written. It has the fields and the types of a document, so that an editor reads it again, and
 * its bounds. Whether it can be published, `documentProblems` says.
 */
export function draftProblems(value: unknown): DocumentProblem[] {
  const whole = wholeProblems(value)
  if (whole.length > 0) return whole
  // PostgreSQL and UTF-8 hold neither.
  if (/\\u0000|\\ud[89a-f]/i.test(JSON.stringify(value)))
    return [{ path: '', message: 'must not contain a NUL character or a lone surrogate' }]
  return schemaProblems(draftSchema, definitions, {}, value)
}

/** What makes a part finished, and not what makes it readable. */
const finishing: ReadonlySet<string> = new Set(['minLength', 'minItems', 'pattern', 'x-rule', 'x-check', 'allOf'])

function unfinished(schema: unknown, name = ''): unknown {
  if (Array.isArray(schema)) return schema.map((one) => unfinished(one))
  if (!isObject(schema)) return schema
  // A field may have the name of a keyword.
  const isFields = name === 'properties' || name === '$defs'
  if (schema['x-check'] === 'who' || schema['x-check'] === 'where') return { type: 'object' }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isFields || !finishing.has(key))
      .map(([key, value]) => [key, unfinished(value, isFields ? '' : key)]),
  )
}

const draftSchema = unfinished(contentSchema) as DocumentSchema
const definitions = (draftSchema as { $defs: Readonly<Record<string, DocumentSchema>> }).$defs
