import { ApiError } from '../errors.ts'
import { renderUser } from '../objects/render.ts'
import { type BatchState, membershipKey } from './batch-state.ts'
import { applyUpsert } from './expectations.ts'
import type { GroupPart, UpsertUserJob, Written } from './jobs.ts'
import type { JobKind } from './kind.ts'
import { merge, mergeInto } from './merge.ts'
import { applyPageRules, fitting, namesOfPage, refuseBytes } from './page-rules.ts'
import type { Draft, Stored } from './state.ts'
import type { Touched } from './touched.ts'

export const upsertUserKind: JobKind<UpsertUserJob, Written> = {
  about: ({ id, groups, prune }) => [
    `user ${id}`,
    ...(prune || groups.length > 0 ? [`memberships ${id}`] : []),
    ...groups.map((group) => `group ${group.id}`),
  ],
  touch,
  apply: (state, draft, job) => applyUpsert(state, job, () => upsertUser(state, draft, job)),
}

function touch(job: UpsertUserJob, touched: Touched): void {
  const { id, groups, prune } = job
  if (job.page) for (const name of namesOfPage(job)) touched.readWriter(name)
  touched.lockUser(id)
  if (prune) touched.readGroupsOf(id)
  for (const { id: groupId, operations } of groups) {
    if (operations.length > 0) touched.lockGroup(groupId)
    else touched.joinGroup(groupId)
    touched.readMembership({ userId: id, groupId })
  }
}

/** Applies an upsert in memory: the user, its groups and memberships, and the notification. */
function upsertUser(state: BatchState, draft: Draft, job: UpsertUserJob): Written | ApiError {
  const before = state.users.get(job.id)
  const ignored = job.page && applyPageRules(state, draft, job, before)
  if (ignored instanceof ApiError) return ignored
  const { job: allowed, ignored: left } = ignored ?? { job, ignored: undefined }
  const whole = upsertAllowed(state, draft, allowed, before)
  const written =
    whole instanceof ApiError && job.page?.isVerified === false
      ? upsertAllowed(state, draft, { ...allowed, operations: fitting(before, allowed.operations) }, before)
      : whole
  return left === undefined || left.length === 0 || written instanceof ApiError
    ? written
    : { ...written, ignored: left }
}

function upsertAllowed(
  state: BatchState,
  draft: Draft,
  job: UpsertUserJob,
  before: Stored | undefined,
): Written | ApiError {
  const user = mergeInto(before, job.operations, state.stamp.at, 'attributes')
  if (user instanceof ApiError) return user
  draft.set(state.users, job.id, user)
  for (const part of job.groups) {
    const problem = joinGroup(state, draft, job, part)
    if (problem) return problem
  }
  if (job.prune) prune(state, draft, job)
  // A page sends the same again with each view: that is no change.
  const isChange = job.page === undefined || user !== before || draft.changes(state.groups, state.memberships)
  if (job.page && isChange) {
    const written = job.groups.filter(({ operations }) => operations.length > 0)
    const problem = refuseBytes(
      job.page,
      user,
      written.map(({ id }) => draft.get(state.groups, id) as Stored),
    )
    if (problem) return problem
  }

  const { attributesJson, createdAt } = user
  const sighting = { objectId: job.id, createdAt, requestId: job.requestId, isFromPage: job.page !== undefined }
  state.newDefinitions.seen('user', job.operations, sighting)
  for (const part of job.groups) {
    const group = draft.get(state.groups, part.id) as Stored
    state.newDefinitions.seen('group', part.operations, { ...sighting, objectId: part.id, createdAt: group.createdAt })
    const ofMembership = { ...sighting, groupId: part.id, groupCreatedAt: group.createdAt }
    state.newDefinitions.seen('group_membership', part.membershipOperations, ofMembership)
  }
  const json = renderUser({ id: job.id, attributesJson, created_at: createdAt })
  if (job.notify !== false && isChange) state.notify(before ? 'user.updated' : 'user.created', json, { userId: job.id })
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
