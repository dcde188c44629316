import type { Job } from './jobs.ts'

/** The user and the group that the answer of a write shows something of. */
export interface Subject {
  readonly userId?: string | null
  readonly groupId?: string | null
}

const NOBODY: Subject = {}

/** Of a job of this queue; other works write about nobody. Answers of deletions have ids only. */
export function subjectOf(given: unknown): Subject {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return NOBODY
  const job = given as Job
  switch (job.kind) {
    case 'user':
      return { userId: job.id }
    case 'group':
      return { groupId: job.id }
    case 'event':
    case 'history':
      return { userId: job.userId, groupId: job.groupId ?? null }
    default:
      return NOBODY
  }
}
