import type { EnvironmentId } from '../database/database.ts'
import type { Decisions } from '../decisions/decisions.ts'
import type { InnerOutcomes } from '../decisions/inner-conditions.ts'
import type { Standing } from '../decisions/states.ts'
import type { SessionRow } from '../history/rows.ts'
import { completeTasksJob, type JobOf } from './jobs.ts'
import type { Sessions } from './sessions.ts'

/** What an open session is for the page that looks at it. */
export interface Looked extends Pick<InnerOutcomes, 'outcomes'> {
  readonly session: SessionRow
}

interface LookParts {
  readonly sessions: Sessions
  readonly decisions: Decisions
}

/**
 * Asks the conditions inside of an open session, for its user and its group. Somebody looks at it, so tasks that are newly met
 * are stored, also for what was done before the start.
 */
export async function lookAt(
  { sessions, decisions }: LookParts,
  environmentId: EnvironmentId,
  session: SessionRow,
  of: JobOf,
  standing?: Standing,
): Promise<Looked> {
  const version = await sessions.versions.version(environmentId, session.versionId)
  if (!version) return { session, outcomes: [] }
  const subject = { userId: session.userId, groupId: session.groupId ?? undefined }
  const source = { versionId: session.versionId, document: version.document }
  const { outcomes, metTasks } = await decisions.inside(environmentId, subject, source, standing)
  const tasks = metTasks.filter((key) => !session.tasks.includes(key))
  if (tasks.length === 0) return { session, outcomes }
  const changed = await sessions.submit(environmentId, completeTasksJob(of, session.id, tasks, version.shape))
  return { session: changed ?? session, outcomes }
}
