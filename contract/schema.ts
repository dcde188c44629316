import type { TSchema } from 'typebox'
import { limits } from './limits.ts'
import { Type } from './type.ts'

/**
 * Annotations of our own, all legal in OpenAPI 3.1 (see server/http/validation.ts):
 * `x-rule` is what an error message says in place of a bare "does not match the pattern";
 * `x-check` names a check in code that no JSON Schema keyword expresses;
 * `x-exact` refuses a whole number that a double cannot hold exactly;
 * `x-id` makes the decimal text of a whole number;
 * `x-as-read` names the type of the expanded objects that a response has here;
 * `x-states` has the keywords that say in the OpenAPI document what code checks, with better messages, in requests.
 */
export type Check = 'attribute' | 'date-time' | 'topic' | 'topics'

interface JsonSchema {
  type?: string | string[]
  'x-rule'?: string
  'x-check'?: Check
  'x-states'?: object
  [keyword: string]: unknown
}

/** A field or a parameter that is an addition to the API contract. Clients may ignore it. */
export const addition = <T extends TSchema>(schema: T): T =>
  Object.assign(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)) as T, { 'x-addition': true })

/** `null` means absent in an optional field, so that an object from a response can be sent back. */
function orNull<T>(schema: JsonSchema): ReturnType<typeof Type.Unsafe<T | null>> {
  return Type.Unsafe<T | null>({ ...schema, type: [schema.type, 'null'].flat() })
}

/** A flat list of types validates in a fraction of the time of a union of schemas. */
export function optional<T>(schema: JsonSchema) {
  return Type.Optional(orNull<T>(schema))
}

/** A read-only field of a resource. A request may have it with any value. The value is ignored. */
export function readOnly(field: string, example: string) {
  const description = `\`${field}\` is read-only: it is accepted and ignored.`
  return Type.Optional(Type.Unknown({ description, examples: [example] }))
}

/** A field that a request must not have: ignoring it would mislead. */
export function onlyNull(remedy: string) {
  return Type.Optional(
    Type.Null({ description: `Only in responses; here it ${remedy}.`, examples: [null], 'x-rule': remedy }),
  )
}

/**
 * A field that only responses fill. An object from a response is accepted and ignored, so that it can be sent back: it
 * is recognised by its `object` field. Other objects are refused, since ignoring them would lose data silently.
 */
export function expanded(type: 'array' | 'object', object: string, remedy: string) {
  const schema = {
    type,
    description: `Only in responses: what was read is accepted here and ignored. Anything else ${remedy}.`,
    examples: [null],
    'x-as-read': object,
    'x-rule': remedy,
  }
  return optional<unknown>(schema)
}

/** A text that can be stored: PostgreSQL holds no NUL, and neither UTF-8 nor jsonb has lone surrogates. */
export const storable = {
  pattern: '^[^\\u0000\\ud800-\\udfff]*$',
  'x-rule': 'must not contain a NUL character or a lone surrogate',
}

// Control characters and lone surrogates: not every system can store or send them. They are written as ranges,
// since \p{Cc} and \p{Cs} take three times as long to match.
export const ID_PATTERN = `^(?!\\.{1,2}$)[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]{1,${limits.idCharacters}}$`
export const ID_RULE = `must be 1 to ${limits.idCharacters} characters, none of them a control character, and not . or .., which no HTTP client can ask for`

const idSchema = (description: string, example: string) => ({
  type: ['string', 'integer'],
  description: `${description} A whole number counts as its decimal text.`,
  examples: [example],
  pattern: ID_PATTERN,
  'x-rule': ID_RULE,
  'x-id': true,
})

/** An id in a body. */
export function id(description: string, example: string) {
  return Type.Unsafe<string>(idSchema(description, example))
}

export function optionalId(description: string, example: string) {
  return optional<string>(idSchema(description, example))
}
