import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import type { Job } from './jobs.ts'

/** Who wants to know which users and groups have changed (server/hints). */
export interface ChangeListener {
  /** Whether somebody looks at the environment. Nothing is gathered otherwise. */
  isWatched(environmentId: EnvironmentId): boolean
  userChanged(environmentId: EnvironmentId, id: string): void
  groupChanged(environmentId: EnvironmentId, id: string): void
}

export interface HintServices {
  changes?: ChangeListener | undefined
}

/** After the commit, tells which users and groups the jobs have changed. */
export function hintAfterCommit(
  { changes }: HintServices,
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
): void {
  if (!changes) return
  for (const { environmentId, items } of parts)
    if (changes.isWatched(environmentId))
      transaction.afterCommit(() => {
        for (const job of items) hintJob(changes, environmentId, job)
      })
}

function hintJob(changes: ChangeListener, environmentId: EnvironmentId, job: Job): void {
  // What a page writes, it knows itself.
  if ('page' in job && job.page) return
  // What a deleted event has decided is decided anew at the next view. Sessions tell of themselves.
  if (job.kind === 'group' || job.kind === 'remove_group') changes.groupChanged(environmentId, job.id)
  else if (job.kind === 'user' || job.kind === 'remove_user') changes.userChanged(environmentId, job.id)
  else if ('userId' in job && job.userId !== null) changes.userChanged(environmentId, job.userId)
  if (job.kind === 'event' && job.groupId !== null) changes.groupChanged(environmentId, job.groupId)
  if (job.kind !== 'user') return
  for (const { id, operations } of job.groups) if (operations.length > 0) changes.groupChanged(environmentId, id)
}
