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
  return schemaProblems(draftSchema, definitionsOf(draftSchema), {}, value)
}

/**
 * Every problem of a draft or a document that another server has sent: it has the types of a document, so that code reads it.
 * A server of a later version may have fields, values and longer lists that are not known here.
 */
export function sentProblems(value: unknown): DocumentProblem[] {
  const whole = wholeProblems(value)
  return whole.length > 0 ? whole : schemaProblems(sentSchema, definitionsOf(sentSchema), {}, value)
}

/** What makes a part finished, and not what makes it readable. */
const finishing: ReadonlySet<string> = new Set(['minLength', 'minItems', 'pattern', 'x-rule', 'x-check', 'allOf'])
const bounds = ['maxLength', 'maxItems', 'maxProperties', 'minimum', 'maximum', 'enum', 'additionalProperties']

function without(keywords: ReadonlySet<string>, schema: unknown, name = ''): unknown {
  if (Array.isArray(schema)) return schema.map((one) => without(keywords, one))
  if (!isObject(schema)) return schema
  // A field may have the name of a keyword.
  const isFields = name === 'properties' || name === '$defs'
  if (schema['x-check'] === 'who' || schema['x-check'] === 'where') return { type: 'object' }
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isFields || !keywords.has(key))
      .map(([key, value]) => [key, without(keywords, value, isFields ? '' : key)]),
  )
}

const draftSchema = without(finishing, contentSchema) as DocumentSchema
const sentSchema = without(new Set([...finishing, ...bounds]), contentSchema) as DocumentSchema

const definitionsOf = (schema: DocumentSchema) => (schema as { $defs: Readonly<Record<string, DocumentSchema>> }).$defs
