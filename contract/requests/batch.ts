import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { Type } from '../type.ts'

/** An operation of a batch. */
export const BatchOperation = Type.Object(
  {
    method: Type.Unsafe<'POST' | 'DELETE'>({
      type: 'string',
      enum: ['POST', 'DELETE'],
      description: 'The method of the operation.',
      examples: ['POST'],
    }),
    path: Type.String({
      description: 'The path of a write of users, groups or events, with its query.',
      examples: ['/events'],
      maxLength: 8192,
    }),
    body: Type.Optional(
      Type.Unsafe<object | null>({
        type: ['object', 'null'],
        description: 'The body of the operation.',
        examples: [{ name: 'order_placed', user_id: 'u_1' }],
      }),
    ),
    idempotency_key: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        description: 'The Idempotency-Key of this operation alone.',
        examples: ['order-1001'],
      }),
    ),
  },
  { additionalProperties: false, description: 'One request of the batch.' },
)

/** The body of POST /batch. */
export const RunBatch = Type.Object(
  {
    operations: Type.Array(BatchOperation, {
      minItems: 1,
      maxItems: limits.operationsPerBatch,
      description: 'Applied in this order.',
      examples: [[{ method: 'POST', path: '/events', body: { name: 'order_placed', user_id: 'u_1' } }]],
    }),
    atomic: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'True: all of it is stored, or nothing. Only POST can be in such a batch.',
        examples: [false],
      }),
    ),
    notify: Type.Optional(
      Type.Unsafe<boolean | null>({
        type: ['boolean', 'null'],
        description: 'False stores without notifying webhook subscribers.',
        examples: [true],
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Operations to carry out in one request.',
    examples: [{ operations: [{ method: 'POST', path: '/events', body: { name: 'order_placed', user_id: 'u_1' } }] }],
  },
)

/** The same with operations of any form: a malformed one is a result of the batch, and does not stop the others. */
export const BatchEnvelope = Type.Object(
  {
    ...RunBatch.properties,
    operations: Type.Array(Type.Unsafe<unknown>({}), { minItems: 1, maxItems: limits.operationsPerBatch }),
  },
  { additionalProperties: false },
)

export type RunBatch = Static<typeof RunBatch>
export type BatchOperation = Static<typeof BatchOperation>
