import type { TrackEvent, UpsertGroup, UpsertUser } from '../../contract/requests/objects.ts'
import type { CommitQueue } from '../batches/queue.ts'
import type { JobOrder } from '../batches/waiting-jobs.ts'
import type { ParsedOperation } from './parse.ts'

type Submitting = Pick<CommitQueue, 'submit' | 'submitWith'>

/** An object that an operation touches. Operations that share it can be carried out in any order. */
interface Touched {
  readonly key: string
  readonly isShared: boolean
}

/**
 * The order of the operations of one batch. When one fails without an answer, those behind it on the same objects are not
 * carried out either. A repeat of the batch then carries out all of them, in their order. Otherwise it would carry out the
 * failed one after the others: a user that was created and then deleted would exist.
 */
export class OperationOrder {
  /** The objects of failed operations by their keys, and whether all of those share it. */
  readonly #failed = new Map<string, boolean>()
  /** That of the operation which is being submitted. */
  current: JobOrder | undefined

  begin(operation: ParsedOperation): void {
    this.current = {
      isBroken: () => this.#failed.size > 0 && touchedBy(operation).some((touched) => this.#isBehind(touched)),
      break: () => {
        for (const { key, isShared } of touchedBy(operation))
          this.#failed.set(key, isShared && this.#failed.get(key) !== false)
      },
    }
  }

  #isBehind({ key, isShared }: Touched): boolean {
    const isFailedShared = this.#failed.get(key)
    return isFailedShared !== undefined && !(isShared && isFailedShared)
  }
}

/** The queue for the operations of one batch. */
export function inOrder(commits: Submitting, order: OperationOrder): Submitting {
  return {
    submit: (work, environmentId, job) => commits.submit(work, environmentId, job, order.current),
    submitWith: (idempotency, work, environmentId, job) =>
      commits.submitWith(idempotency, work, environmentId, job, order.current),
  }
}

function touchedBy({ name, params, query, body }: ParsedOperation): Touched[] {
  switch (name) {
    case 'upsertUser': {
      const { id, groups, memberships } = body as UpsertUser
      const joined = [
        ...(groups ?? []).map((group) => group.id),
        ...(memberships ?? []).map(({ group, group_id }) => group?.id ?? group_id),
      ]
      return [own('user', id), ...joined.map((groupId) => shared('group', groupId))]
    }
    case 'upsertGroup':
      return [own('group', (body as UpsertGroup).id)]
    case 'trackEvent': {
      const { user_id, group_id } = body as TrackEvent
      return [shared('user', user_id), shared('group', group_id)]
    }
    case 'removeMembership':
      return [own('user', query.user_id), shared('group', query.group_id)]
    case 'deleteUser':
      return [own('user', params.user_id)]
    case 'deleteGroup':
      return [own('group', params.group_id)]
    case 'deleteEvent':
      return [own('event', params.event_id)]
  }
}

function own(kind: string, id: unknown): Touched {
  return { key: `${kind} ${id}`, isShared: false }
}

function shared(kind: string, id: unknown): Touched {
  return { key: `${kind} ${id}`, isShared: true }
}
