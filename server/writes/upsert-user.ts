import { ApiError } from '../errors.ts'
import { renderUser } from '../render.ts'
import { type BatchState, membershipKey } from './batch-state.ts'
import type { GroupPart, UpsertUserJob, Written } from './jobs.ts'
import { merge, mergeInto } from './merge.ts'
import type { Draft } from './state.ts'

/** Applies an upsert in memory: the user, its groups and memberships, and the notification. */
export function upsertUser(state: BatchState, draft: Draft, job: UpsertUserJob): Written | ApiError {
  const before = state.users.get(job.id)
  const user = mergeInto(before, job.operations, state.stamp.at, 'attributes')
  if (user instanceof ApiError) return user
  draft.set(state.users, job.id, user)
  for (const part of job.groups) {
    const problem = joinGroup(state, draft, job, part)
    if (problem) return problem
  }
  if (job.prune) prune(state, draft, job)

  state.newDefinitions.seen('user', job.operations, job.id, job.requestId)
  for (const part of job.groups) {
    state.newDefinitions.seen('group', part.operations, part.id, job.requestId)
    state.newDefinitions.seen('group_membership', part.membershipOperations, job.id, job.requestId)
  }
  const { attributesJson, createdAt } = user
  const json = renderUser({ id: job.id, attributesJson, created_at: createdAt })
  if (job.notify !== false) state.notify(before ? 'user.updated' : 'user.created', json, { userId: job.id })
  return { id: job.id, attributesJson, createdAt, json }
}

function joinGroup(state: BatchState, draft: Draft, job: UpsertUserJob, part: GroupPart): ApiError | undefined {
  const group = mergeInto(
    draft.get(state.groups, part.id),
    part.operations,
    state.stamp.at,
    `${part.groupPath}.attributes`,
  )
  if (group instanceof ApiError) return group
  const key = membershipKey(job.id, part.id)
  const current = draft.get(state.memberships, key)
  const membership = merge(current, part.membershipOperations, `${part.membershipPath}.attributes`)
  if (membership instanceof ApiError) return membership
  draft.set(state.groups, part.id, group)
  if (membership !== current) {
    const createdAt = current ? current.createdAt : state.stamp.at
    draft.set(state.memberships, key, { ...membership, userId: job.id, groupId: part.id, createdAt })
  }
  return undefined
}

function prune(state: BatchState, draft: Draft, job: UpsertUserJob): void {
  const kept = new Set(job.groups.map((part) => part.id))
  for (const membership of state.memberships.values()) {
    if (membership.userId === job.id && !kept.has(membership.groupId)) {
      draft.set(state.memberships, membershipKey(job.id, membership.groupId), undefined)
    }
  }
}
