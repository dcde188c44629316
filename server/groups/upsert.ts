import type { BatchState } from '../commit/batch-state.ts'
import type { UpsertGroupJob, Written } from '../commit/jobs.ts'
import type { Draft } from '../commit/state.ts'
import { ApiError } from '../errors.ts'
import { mergeInto } from '../objects/merge.ts'
import { renderGroup } from '../render.ts'

export function upsertGroup(state: BatchState, draft: Draft, { id, operations }: UpsertGroupJob): Written | ApiError {
  const group = mergeInto(draft.get(state.groups, id), operations, state.stamp.at, 'attributes')
  if (group instanceof ApiError) return group
  draft.set(state.groups, id, group)
  state.news.seen('group', operations)
  const attributes = group.text
  return {
    id,
    attributes,
    createdAt: group.createdAt,
    json: renderGroup({ id, attributes, created_at: group.createdAt }),
  }
}
