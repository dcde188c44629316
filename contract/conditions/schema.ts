import { limits } from '../limits.ts'
import type { Field } from './fields.ts'
import { type LeafKind, leafKeys } from './kinds.ts'
import { leafFields, viewportFields, whereFields } from './leaf-rules.ts'

/**
 * The JSON Schema of conditions, for editors and for the documentation: the definitions `condition` and those that it refers
 * to. The server checks with `conditionProblems`, which says more.
 */
export const conditionDefinitions: Readonly<Record<string, object>> = {
  condition: {
    description: `Who, where or when: all, any or not over leaves. At most ${limits.conditionLevels} levels and ${limits.conditionLeaves} leaves.`,
    oneOf: [
      group('all', { type: 'array', items: reference('condition'), minItems: 1 }),
      group('any', { type: 'array', items: reference('condition'), minItems: 1 }),
      group('not', reference('condition')),
      ...Object.keys(leafFields).map((kind) => reference(`${kind}_leaf`)),
    ],
  },
  ...Object.fromEntries(
    Object.entries(leafFields).map(([kind, fields]) => [`${kind}_leaf`, leaf(kind as LeafKind, fields)]),
  ),
}

function reference(name: string): object {
  return { $ref: `#/$defs/${name}` }
}

function group(key: string, schema: object): object {
  return { type: 'object', required: [key], properties: { [key]: schema }, additionalProperties: false }
}

function leaf(kind: LeafKind, fields: Readonly<Record<string, Field>>): object {
  const schema = objectOf(fields)
  if (kind === 'event')
    return withProperty(schema, 'where', {
      type: 'array',
      items: objectOf(whereFields),
      minItems: 1,
      maxItems: limits.eventLeafAttributes,
    })
  if (kind === 'viewport') return withProperty(schema, 'viewport', objectOf(viewportFields))
  // What a leaf about the time must not have: else a leaf of another kind would be one of these too.
  return kind === 'time'
    ? { ...schema, not: { anyOf: leafKeys.slice(0, -3).map((key) => ({ required: [key] })) }, minProperties: 1 }
    : schema
}

function objectOf(fields: Readonly<Record<string, Field>>) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
  const required = Object.keys(fields).filter((name) => !fields[name]?.isOptional)
  return { type: 'object', required, properties, additionalProperties: false }
}

function withProperty(schema: ReturnType<typeof objectOf>, name: string, property: object): object {
  return { ...schema, properties: { ...schema.properties, [name]: property } }
}
