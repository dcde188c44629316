import { ApiError, errors } from '../errors.ts'
import { renderEvent } from '../objects/render.ts'
import type { BatchState } from './batch-state.ts'
import type { TrackEventJob, Written } from './jobs.ts'
import type { JobKind } from './kind.ts'
import { merge } from './merge.ts'
import { refuseNewNames } from './page-rules.ts'

export const trackEventKind: JobKind<TrackEventJob, Written> = {
  about: ({ userId, groupId }) => [`user ${userId}`, `group ${groupId}`],
  touch: ({ page, name, operations }, touched) => {
    if (page)
      touched.readEventName(
        name,
        operations.map(([attributeName]) => attributeName),
      )
  },
  apply: (state, _draft, job) => {
    const written = trackEvent(state, job)
    if (job.audit && !(written instanceof ApiError)) state.auditEntries.push(job.audit(written, undefined))
    return written
  },
}

/** Operations of an event apply to an empty object: `add: 2` gives 2. */
export function trackEvent(state: BatchState, job: TrackEventJob): Written | ApiError {
  const refusal = job.page && refuseNewNames(state, job, job.page)
  if (refusal) return refusal
  if (!job.isOwn) {
    const internal = state.newDefinitions.internalNames(job.operations)
    if (internal.length > 0) return errors.invalidParams(internal.map(writtenByUsher))
  }
  const merged = merge(undefined, job.operations, 'attributes')
  if (merged instanceof ApiError) return merged
  const { attributesJson } = merged
  const { at } = state.stamp
  const id = state.stamp.newId()
  const object = renderEvent({
    id,
    attributesJson,
    created_at: at,
    name: job.name,
    time: job.time,
    user_id: job.userId,
    group_id: job.groupId,
  })
  state.events.push({ ...job, id, at, attributesJson })
  const isFromPage = job.page !== undefined
  state.newDefinitions.seenOnEvent(job.name, job.timeMs, job.operations, {
    objectId: job.userId,
    requestId: job.requestId,
    isFromPage,
  })
  if (job.notify !== false) state.notify(`event.tracked.${job.name}`, object, job)
  return { id, attributesJson, createdAt: at, json: object }
}

const writtenByUsher = (name: string) =>
  `attributes.${name}: ${name} is written by Usher itself. Leave it out, or use another name.`
