import type { TProperties, TSchema, Type as TypeBox } from 'typebox'

/**
 * The builders of JSON Schemas that the contract uses, with the types of typebox. typebox itself is not loaded: its 370
 * modules took 0.2 s of every start (docs/decisions/082-schema-builders.md).
 */
type Builders = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unknown'
  | 'Unsafe'
>

/** On the schema of a field that an object may lack. It is no keyword, so it is not enumerable. */
const OPTIONAL = '~optional'

const plain = (type: string) => (options?: object) => ({ type, ...options })

function object(properties: TProperties, options?: object): object {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] as TSchema, OPTIONAL))
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
}

export const Type = {
  Array: (items: TSchema, options?: object) => ({ type: 'array', items, ...options }),
  Boolean: plain('boolean'),
  Integer: plain('integer'),
  Literal: (value: string | number | boolean, options?: object) => ({ type: typeof value, const: value, ...options }),
  Null: plain('null'),
  Number: plain('number'),
  Object: object,
  Optional: (schema: TSchema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  String: plain('string'),
  Union: (anyOf: TSchema[], options?: object) => ({ anyOf, ...options }),
  Unknown: (options?: object) => ({ ...options }),
  Unsafe: (schema: TSchema) => ({ ...schema }),
} as unknown as Builders
