import type { Part } from '../database/parts.ts'
import { groups, users } from '../objects/tables.ts'
import type { BatchState } from './batch-state.ts'
import { changeHistoryKind } from './change-history.ts'
import { changeSubscription, type SubscriptionServices } from './change-subscription.ts'
import type { Job } from './jobs.ts'
import type { JobKind, KindPart } from './kind.ts'
import { type RemovalServices, removeMembership, removeObject } from './remove.ts'
import { removeEvent } from './remove-event.ts'
import { trackEventKind } from './track-event.ts'
import { upsertGroupKind } from './upsert-group.ts'
import { upsertUserKind } from './upsert-user.ts'

export interface KindServices extends RemovalServices, SubscriptionServices {}

/** Every kind of job. A new kind is a row here and a type in `jobs.ts`. */
export function jobKinds(services: KindServices): JobKinds {
  return {
    user: upsertUserKind,
    group: upsertGroupKind,
    event: trackEventKind,
    history: changeHistoryKind,
    subscription: changeSubscription(services),
    remove_user: removeObject(users, services),
    remove_group: removeObject(groups, services),
    remove_membership: removeMembership,
    remove_event: removeEvent,
  }
}

export type JobKinds = { readonly [Kind in Job['kind']]: JobKind<Extract<Job, { kind: Kind }>, unknown> }

export function kindOf(kinds: JobKinds, job: Job): JobKind<Job, unknown> {
  return kinds[job.kind] as JobKind<Job, unknown>
}

export type PartsByKind = Map<JobKind<Job, unknown>, KindPart<Job>[]>

/** The jobs of kinds that read or write rows of their own, by kind. Most batches have none. */
export function partsByKind(kinds: JobKinds, parts: readonly Part<Job>[], states: readonly BatchState[]): PartsByKind {
  const found: PartsByKind = new Map()
  for (const [index, { environmentId, items }] of parts.entries()) {
    const own = Map.groupBy(
      items.filter((job) => hasRows(kindOf(kinds, job))),
      (job) => kindOf(kinds, job),
    )
    for (const [kind, jobs] of own) {
      const part = { environmentId, items: jobs, state: states[index] as BatchState }
      const known = found.get(kind)
      if (known) known.push(part)
      else found.set(kind, [part])
    }
  }
  return found
}

function hasRows({ load, store }: JobKind<Job, unknown>): boolean {
  return load !== undefined || store !== undefined
}
