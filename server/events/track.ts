import { attributesJson } from '../attributes/json.ts'
import { applyOperations } from '../attributes/operations.ts'
import type { BatchState } from '../commit/batch-state.ts'
import type { TrackEventJob, Written } from '../commit/jobs.ts'
import { type ApiError, errors } from '../errors.ts'
import { renderEvent } from '../render.ts'

/** Operations of an event apply to an empty object: `add: 2` gives 2. */
export function trackEvent(state: BatchState, job: TrackEventJob): Written | ApiError {
  const applied = applyOperations({}, job.operations)
  if ('problem' in applied)
    return errors.invalidParams([`attributes.${applied.problem.path}: ${applied.problem.message}`])
  const attributes = attributesJson(applied.attributes)
  const { at } = state.stamp
  const id = state.stamp.newId()
  const json = renderEvent({
    id,
    attributes,
    created_at: at,
    name: job.name,
    time: job.time,
    user_id: job.userId,
    group_id: job.groupId,
  })
  state.events.push({ ...job, id, at, attributes })
  state.news.seenOnEvent(job.name, job.operations)
  if (job.notify !== false)
    state.happenings.push({
      id: state.stamp.newId(),
      topic: `event.tracked.${job.name}`,
      object: json,
      userId: job.userId,
      groupId: job.groupId,
      at,
    })
  return { id, attributes, createdAt: at, json }
}
