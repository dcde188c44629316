import { addition, readOnly } from '../schema.ts'
import { Type } from '../type.ts'

/** An unknown field is refused, so that a misspelt one does not lose data silently. */
export const closed = (description: string, example: object) => ({
  additionalProperties: false as const,
  description,
  examples: [example],
})

/** With a rule about several fields, which code checks and the OpenAPI document states. */
export const stated = (rule: object, description: string, example: object) => ({
  ...closed(description, example),
  'x-states': rule,
})

/** Read-only fields of every resource: accepted, so that an object from a response can be sent back. */
export const resourceFields = (object: string) => ({
  object: readOnly('object', object),
  created_at: readOnly('created_at', '2026-01-03T09:30:00.000Z'),
})

/** An id that the service assigns. */
export const assignedId = readOnly('id', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f')

/** Of every write whose answer has fields to expand. */
export const expand = Type.Optional(
  addition(
    Type.Unsafe<string | string[] | null>({
      type: ['array', 'string', 'null'],
      items: { type: 'string', description: 'A field path.', examples: ['memberships.group'] },
      description: 'Field paths to expand in the answer, as in the query.',
      examples: [['memberships.group']],
    }),
  ),
)
