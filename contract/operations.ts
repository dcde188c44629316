import { batchOperations } from './operations/batch.ts'
import { contentOperations } from './operations/content.ts'
import { decisionOperations } from './operations/decisions.ts'
import { definitionOperations } from './operations/definitions.ts'
import { eventOperations } from './operations/events.ts'
import { groupOperations } from './operations/groups.ts'
import { segmentOperations } from './operations/segments.ts'
import { sessionOperations } from './operations/sessions.ts'
import { userOperations } from './operations/users.ts'
import { webhookOperations } from './operations/webhooks.ts'

/** Every operation of the contract. The routes, their validation, the OpenAPI document and the tests of every route use this table. */
export const operations = {
  ...userOperations,
  ...groupOperations,
  ...eventOperations,
  ...definitionOperations,
  ...sessionOperations,
  ...webhookOperations,
  ...contentOperations,
  ...segmentOperations,
  ...decisionOperations,
  ...batchOperations,
} as const

export type OperationName = keyof typeof operations
