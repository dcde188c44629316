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

/** The names that decide something in an environment. Undefined when they are not known: then every name does. */
export interface DecidingNames {
  events: ReadonlySet<string>
  attributes: ReadonlySet<string>
}

export interface HintServices {
  changes?: ChangeListener | undefined
  namesOf?: ((environmentId: EnvironmentId) => DecidingNames | undefined) | undefined
}

/** After the commit, tells which users and groups the jobs have changed in a way that can change a decision. */
export function hintAfterCommit(
  { changes, namesOf }: HintServices,
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
): void {
  if (!changes) return
  for (const { environmentId, items } of parts)
    if (changes.isWatched(environmentId))
      transaction.afterCommit(() => hint(changes, environmentId, items, namesOf?.(environmentId)))
}

function hint(
  changes: ChangeListener,
  environmentId: EnvironmentId,
  jobs: readonly Job[],
  names: DecidingNames | undefined,
): void {
  for (const job of jobs) if (isDeciding(job, names)) hintJob(changes, environmentId, job)
}

function hintJob(changes: ChangeListener, environmentId: EnvironmentId, job: Job): void {
  // What a deleted event has decided is decided anew at the next view. Sessions tell of themselves.
  if (job.kind === 'group' || job.kind === 'remove_group') changes.groupChanged(environmentId, job.id)
  else if (job.kind === 'user' || job.kind === 'remove_user') changes.userChanged(environmentId, job.id)
  else if ('userId' in job && job.userId !== null) changes.userChanged(environmentId, job.userId)
  if (job.kind === 'event' && job.groupId !== null) changes.groupChanged(environmentId, job.groupId)
  if (job.kind !== 'user') return
  for (const { id, operations } of job.groups) if (operations.length > 0) changes.groupChanged(environmentId, id)
}

/** What a page writes, it knows itself. A membership can decide whatever its names are. */
function isDeciding(job: Job, names: DecidingNames | undefined): boolean {
  if ('page' in job && job.page) return false
  if (names === undefined) return true
  if (job.kind === 'event') return names.events.has(job.name)
  if (job.kind === 'user' && (job.groups.length > 0 || job.prune)) return true
  if (job.kind !== 'user' && job.kind !== 'group') return true
  return job.operations.some(([name]) => names.attributes.has(name))
}
