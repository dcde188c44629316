import { ApiError } from '../errors.ts'
import { renderGroup } from '../objects/render.ts'
import type { BatchState } from './batch-state.ts'
import { applyUpsert } from './expectations.ts'
import type { UpsertGroupJob, Written } from './jobs.ts'
import type { JobKind } from './kind.ts'
import { mergeInto } from './merge.ts'
import type { Draft } from './state.ts'

export const upsertGroupKind: JobKind<UpsertGroupJob, Written> = {
  about: ({ id }) => [`group ${id}`],
  touch: ({ id }, touched) => touched.lockGroup(id),
  apply: (state, draft, job) => applyUpsert(state, job, () => upsertGroup(state, draft, job)),
}

function upsertGroup(state: BatchState, draft: Draft, job: UpsertGroupJob): Written | ApiError {
  const { id, operations } = job
  const group = mergeInto(draft.get(state.groups, id), operations, state.stamp.at, 'attributes')
  if (group instanceof ApiError) return group
  draft.set(state.groups, id, group)
  state.newDefinitions.seen('group', operations, { objectId: id, createdAt: group.createdAt, requestId: job.requestId })
  const { attributesJson, createdAt } = group
  const json = renderGroup({ id, attributesJson, created_at: createdAt })
  return { id, attributesJson, createdAt, json }
}
