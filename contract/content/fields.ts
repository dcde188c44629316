import type { TProperties, TSchema } from 'typebox'
import { DURATION_PATTERN, DURATION_RULE, LONGEST_RULE } from '../conditions/duration.ts'
import { LOCATOR_PATTERN } from '../conditions/locators.ts'
import { KEY_PATTERN, KEY_RULE, OWN_KEY_PATTERN, OWN_KEY_RULE } from '../names.ts'
import { Type } from '../type.ts'

/** The parts that the schemas of documents are made of. */

/** Checks in code that no JSON Schema keyword expresses (contract/content/check.ts). */
export type DocumentCheck =
  | 'address'
  | 'image'
  | 'video'
  | 'locator'
  | 'template'
  | 'markdown'
  | 'who'
  | 'where'
  | 'attribute'

/** The key of the content itself. */
export const ownKey = (description: string) =>
  Type.String({ description, pattern: OWN_KEY_PATTERN, 'x-rule': OWN_KEY_RULE, examples: ['first-report'] })

/** The key of a part, or of something else. */
export const key = (description: string) =>
  Type.String({ description, pattern: KEY_PATTERN, 'x-rule': KEY_RULE, examples: ['first-report'] })

const PLAIN = '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f\\ud800-\\udfff]*$'
const PLAIN_RULE = 'must be a text without control characters and lone surrogates'

/** What JSON Schema can say of what code checks. */
const PATTERNS: Partial<Record<DocumentCheck, string>> = {
  locator: LOCATOR_PATTERN,
  image: String.raw`^(?![\s\S]*\{\{)[Hh][Tt][Tt][Pp][Ss]://[^/?#@\s\\]+(?:[/?#][^\s\\]*)?$`,
  video: String.raw`^[Hh][Tt][Tt][Pp][Ss]://[^/?#@\s\\]+(?:[/?#][^\s\\]*)?$`,
}

export const text = (description: string, maxLength: number, check?: DocumentCheck, minLength = 1) =>
  Type.String({
    description,
    minLength,
    maxLength,
    pattern: PLAIN,
    'x-rule': PLAIN_RULE,
    ...(check && { 'x-check': check }),
    ...(check && PATTERNS[check] && { allOf: [{ pattern: PATTERNS[check] }] }),
  })

export const duration = (description: string) =>
  Type.String({
    description,
    pattern: DURATION_PATTERN,
    'x-rule': `${DURATION_RULE}; ${LONGEST_RULE}`,
    examples: ['7d'],
  })

const conditionOf = { who: 'server_condition', where: 'condition' }

/** A condition, which code checks. Editors are told of it by its own schema. */
export const condition = (check: 'who' | 'where', description: string) =>
  Type.Unsafe<unknown>({ description, 'x-check': check, allOf: [{ $ref: `#/$defs/${conditionOf[check]}` }] })

export const flag = (description: string) => Type.Boolean({ description })

export const oneOfWords = (words: readonly string[], description: string) =>
  Type.Unsafe<string>({ type: 'string', enum: words, description })

export const list = (items: TSchema, description: string, minItems: number, maxItems: number) =>
  Type.Array(items, { description, minItems, maxItems })

export const closed = (properties: TProperties, description: string) =>
  Type.Object(properties, { description, additionalProperties: false })

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)

export const ref = (name: string) => Type.Unsafe<unknown>({ $ref: `#/$defs/${name}` })

/**
 * One of several forms. `by` says how to tell which: by the value of a field that each form has (`type`), or, for `key`, by the
 * one key that no other form has, which is the first that the form requires.
 */
export const formOf = (by: 'key' | 'type' | 'on', names: readonly string[], description: string) =>
  Type.Unsafe<unknown>({ description, oneOf: names.map((name) => ({ $ref: `#/$defs/${name}` })), 'x-form-by': by })
