import { limits } from '../limits.ts'
import type { Operation } from '../operation.ts'
import { BatchEnvelope, RunBatch } from '../requests/batch.ts'

export const batchOperations = {
  runBatch: {
    method: 'POST',
    path: '/batch',
    tag: 'Batch',
    summary: 'Carry out many operations',
    description:
      'Carries out writes of users, groups and events in the order given, and answers one result for each. An operation that fails does not stop the others, unless the batch is `atomic`. It costs as many requests of the rate limit as it has operations.',
    body: RunBatch,
    envelope: BatchEnvelope,
    bodyBytes: limits.batchBodyBytes,
    response: 'Batch',
    errors: ['feature_not_available'],
    notifies: true,
    isAddition: true,
  },
} as const satisfies Record<string, Operation>
