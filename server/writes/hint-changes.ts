import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import type { Interest } from '../hints/interest.ts'
import type { UserHistory } from '../history/user-history.ts'
import type { BatchState, NewEvent } from './batch-state.ts'
import type { Job, UpsertUserJob } from './jobs.ts'

/** Who wants to know which users and groups have changed (server/hints). */
export interface ChangeListener {
  /** Whether somebody looks at the environment. Nothing is gathered otherwise. */
  isWatched(environmentId: EnvironmentId): boolean
  interestOf(environmentId: EnvironmentId): Interest
  userChanged(environmentId: EnvironmentId, id: string): void
  groupChanged(environmentId: EnvironmentId, id: string): void
  /** A session or a claim was changed by another browser, or by the back end. */
  sessionChanged(environmentId: EnvironmentId, userId: string, id: string): void
}

export interface HintServices {
  changes?: ChangeListener | undefined
}

/** After the commit, tells which users and groups have changed so that what they see may be another. */
export function hintAfterCommit(
  { changes }: HintServices,
  transaction: OpenTransaction,
  parts: readonly Part<Job>[],
  states: readonly BatchState[],
): void {
  if (!changes) return
  for (const [index, { environmentId, items }] of parts.entries())
    if (changes.isWatched(environmentId))
      transaction.afterCommit(() => {
        const hinter = new Hinter(changes, environmentId)
        for (const job of items) hinter.job(job)
        const { events, histories } = states[index] as BatchState
        for (const event of events) hinter.event(event)
        for (const history of histories.users.values()) hinter.history(history)
      })
}

class Hinter {
  readonly #changes: ChangeListener
  readonly #environmentId: EnvironmentId
  readonly #interest: Interest

  constructor(changes: ChangeListener, environmentId: EnvironmentId) {
    this.#changes = changes
    this.#environmentId = environmentId
    this.#interest = changes.interestOf(environmentId)
  }

  /** What a page writes, it knows itself. What a deleted event has decided is decided anew at the next view. */
  job(job: Job): void {
    if ('page' in job && job.page) return
    const { hasGroups } = this.#interest
    if (job.kind === 'user') this.#upsert(job)
    else if (job.kind === 'group' && this.#asks('group', job.operations)) this.#group(job.id)
    else if (job.kind === 'remove_user') this.#user(job.id)
    else if (job.kind === 'remove_group' && hasGroups) this.#group(job.id)
    else if (job.kind === 'remove_membership' && hasGroups) this.#user(job.userId)
  }

  #upsert({ id, operations, groups, prune }: UpsertUserJob): void {
    const isOtherMember = this.#interest.hasGroups && (groups.length > 0 || prune)
    if (isOtherMember || this.#asks('user', operations)) this.#user(id)
    for (const group of groups) if (this.#asks('group', group.operations)) this.#group(group.id)
  }

  event({ name, userId, groupId, page }: NewEvent): void {
    if (page || !this.#interest.events.has(name)) return
    if (userId !== null) this.#user(userId)
    if (groupId !== null) this.#group(groupId)
  }

  history({ userId, sessions, claims, states, answers }: UserHistory): void {
    const tell = (id: string) => this.#changes.sessionChanged(this.#environmentId, userId, id)
    for (const [id, { epoch, endedAt }] of sessions.changes().updated)
      if (endedAt !== null || epoch !== sessions.before(id)?.epoch) tell(id)
    // One that was not shown yet has no session.
    for (const [id, { state }] of claims.changes().removed) if (state === 'claimed') tell(id)
    if (this.#interest.hasHistory && (hasChanged(states) || hasChanged(answers))) this.#user(userId)
  }

  #asks(of: 'user' | 'group', operations: readonly (readonly [name: string, operation: unknown])[]): boolean {
    return operations.some(([name]) => this.#interest.attributes.has(`${of} ${name}`))
  }

  #user(id: string): void {
    this.#changes.userChanged(this.#environmentId, id)
  }

  #group(id: string): void {
    this.#changes.groupChanged(this.#environmentId, id)
  }
}

function hasChanged(rows: UserHistory['states'] | UserHistory['answers']): boolean {
  const { created, updated, removed } = rows.changes()
  return created.length + updated.length + removed.length > 0
}
