import type { Static, TProperties, TSchema } from 'typebox'
import { ID_PATTERN, ID_RULE, storable } from '../schema.ts'
import { Type } from '../type.ts'

/** The parts of the dashboard's schemas. Nested objects are inlined, not referenced, so that their static types are complete. */

/** An object of a response. An undeclared field fails the tests. */
export const resource = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false })

/** A body. An unknown field is refused. */
export const body = <Fields extends TProperties>(fields: Fields) => Type.Object(fields, { additionalProperties: false })

export const text = Type.String()
export const flag = Type.Boolean()
export const count = Type.Integer({ minimum: 0 })
export const number = Type.Number()
/** ISO 8601 in UTC. */
export const time = Type.String({ format: 'date-time' })

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
export const listOf = <Schema extends TSchema>(schema: Schema) => Type.Array(schema)
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: values })

/** One page of an endless list. `next` is the `cursor` of the page after it, or null at the end. */
export const page = <Schema extends TSchema>(item: Schema) =>
  resource({ data: Type.Array(item), next: orNull(Type.String()) })

/** A number that is counted up to a bound: with `is_more`, there are more than `count`. */
export const BoundedCount = resource({ count, is_more: flag })
export type BoundedCount = Static<typeof BoundedCount>

/** Counts of equal steps of time; the last step is not over. */
export const Series = resource({ from: time, step_seconds: count, values: Type.Array(count) })
export type Series = Static<typeof Series>

export const Done = resource({ done: Type.Literal(true) })

export const givenText = (maxLength: number, minLength = 0) => Type.String({ ...storable, minLength, maxLength })
/** A name that a person gives: visible, on one line. */
export const givenName = (maxLength = 100) =>
  Type.String({
    pattern: `^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]{1,${maxLength}}$`,
    'x-rule': `must be 1 to ${maxLength} characters, not all of them spaces`,
  })
export const givenId = Type.String({ pattern: ID_PATTERN, 'x-rule': ID_RULE })

/** Part of every endless list. */
export const paging = {
  cursor: Type.Optional(givenText(4096)),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
}
export const givenTime = Type.String({ maxLength: 40, 'x-check': 'date-time' })
