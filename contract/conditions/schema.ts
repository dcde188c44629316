import { limits } from '../limits.ts'
import { comparisonSchemas } from './comparison.ts'
import type { Field } from './fields.ts'
import { type LeafKind, serverKinds } from './kinds.ts'
import { leafFields, viewportFields, whereFields } from './leaf-rules.ts'

type Fields = Readonly<Record<string, Field>>

const { after, before, ...daily } = leafFields.time
const range = { after, before } as Fields

/** The schema of each kind of leaf. Some fields go together, and others do not. */
const leaves: Readonly<Record<LeafKind, object>> = {
  attribute: { ...objectOf(leafFields.attribute), allOf: comparisonSchemas },
  event: {
    ...withProperty(leafFields.event, 'where', {
      type: 'array',
      items: { ...objectOf(whereFields), allOf: comparisonSchemas },
      minItems: 1,
      maxItems: limits.eventLeafAttributes,
    }),
    not: { required: ['at_least', 'at_most'] },
  },
  content: {
    ...objectOf(leafFields.content),
    not: { required: ['is', 'within'], properties: { is: { const: 'active' } } },
  },
  segment: objectOf(leafFields.segment),
  answer: { ...objectOf(leafFields.answer), allOf: comparisonSchemas },
  time: {
    oneOf: [
      { ...objectOf(range), minProperties: 1 },
      {
        ...objectOf(daily),
        required: ['zone'],
        anyOf: [{ required: ['weekdays'] }, { required: ['from'] }],
        dependentRequired: { from: ['to'], to: ['from'] },
      },
    ],
  },
  url: objectOf(leafFields.url),
  element: objectOf(leafFields.element),
  input: { ...objectOf(leafFields.input), allOf: comparisonSchemas },
  viewport: {
    ...withProperty(leafFields.viewport, 'viewport', { ...objectOf(viewportFields), minProperties: 1 }),
    required: ['viewport'],
  },
  locale: objectOf(leafFields.locale),
}

/**
 * The JSON Schema of conditions, for editors and for the documentation: `condition` with every leaf, `server_condition` with
 * those of the server, and the leaves. The server checks with `conditionProblems`, which says more, and knows what no schema
 * says: how deep and how large a condition is, which days and time zones exist, and which of two values is greater.
 */
export const conditionDefinitions: Readonly<Record<string, object>> = {
  condition: tree('condition', 'Where or when', Object.keys(leaves)),
  server_condition: tree('server_condition', 'Who', serverKinds),
  ...Object.fromEntries(Object.entries(leaves).map(([kind, schema]) => [`${kind}_leaf`, schema])),
}

function tree(name: string, what: string, kinds: readonly string[]): object {
  const parts = { type: 'array', items: reference(name), minItems: 1, maxItems: limits.conditionLeaves }
  return {
    description: `${what}: all, any or not over leaves. At most ${limits.conditionLevels} levels and ${limits.conditionLeaves} leaves.`,
    oneOf: [
      group('all', parts),
      group('any', parts),
      group('not', reference(name)),
      ...kinds.map((kind) => reference(`${kind}_leaf`)),
    ],
  }
}

function reference(name: string): object {
  return { $ref: `#/$defs/${name}` }
}

function group(key: string, schema: object): object {
  return { type: 'object', required: [key], properties: { [key]: schema }, additionalProperties: false }
}

function objectOf(fields: Fields) {
  const properties = Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
  const required = Object.keys(fields).filter((name) => !fields[name]?.isOptional)
  return { type: 'object', required, properties, additionalProperties: false }
}

function withProperty(fields: Fields, name: string, property: object) {
  const schema = objectOf(fields)
  return { ...schema, properties: { ...schema.properties, [name]: property } }
}
