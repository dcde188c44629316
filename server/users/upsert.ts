import { type BatchState, membershipKey } from '../commit/batch-state.ts'
import type { GroupPart, UpsertUserJob, Written } from '../commit/jobs.ts'
import type { Draft } from '../commit/state.ts'
import { ApiError } from '../errors.ts'
import { merge, mergeInto } from '../objects/merge.ts'
import { renderUser } from '../render.ts'

/** Applies an upsert to what is in memory: the user, its groups and memberships, and what has to be told about it. */
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

  state.news.seen('user', job.operations)
  for (const part of job.groups) {
    state.news.seen('group', part.operations)
    state.news.seen('group_membership', part.membershipOperations)
  }
  const attributes = user.text
  const json = renderUser({ id: job.id, attributes, created_at: user.createdAt })
  if (job.notify !== false)
    state.happenings.push({
      id: state.stamp.newId(),
      topic: before ? 'user.updated' : 'user.created',
      object: json,
      userId: job.id,
      groupId: null,
      at: state.stamp.at,
    })
  return { id: job.id, attributes, createdAt: user.createdAt, json }
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
