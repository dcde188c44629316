import type { Operation } from '../operation.ts'
import { Decide } from '../requests/content.ts'

export const decisionOperations = {
  decide: {
    method: 'POST',
    path: '/decisions',
    tag: 'Content',
    summary: 'Decide what a user may see',
    description:
      'Evaluates the published content for a user at this moment. With `receipts` it says why or why not, with the values that decided. Nothing is written.',
    body: Decide,
    response: 'Decision',
    isAddition: true,
  },
} as const satisfies Record<string, Operation>
