import { isoTime } from '../clock.ts'
import { ApiError, errors } from '../errors.ts'
import type { HistoryEvent } from '../history/user-history.ts'
import { renderEvent } from '../objects/render.ts'
import type { BatchState, NewEvent } from './batch-state.ts'
import type { TrackEventJob, Written } from './jobs.ts'
import type { JobKind } from './kind.ts'
import { merge } from './merge.ts'
import { refuseNewNames, refuseStranger } from './page-rules.ts'

export const trackEventKind: JobKind<TrackEventJob, Written> = {
  about: ({ userId, groupId }) => [`user ${userId}`, `group ${groupId}`],
  touch: ({ page, userId, name, operations }, touched) => {
    if (!page) return
    if (userId !== null) touched.lockUser(userId)
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
  const refusal = job.page && (refuseStranger(state, job, job.page) ?? refuseNewNames(state, job, job.page))
  if (refusal) return refusal
  if (!job.isOwn) {
    const internal = state.newDefinitions.internalNames(job.operations)
    if (internal.length > 0) return errors.invalidParams(internal.map(writtenByUsher))
  }
  const merged = merge(undefined, job.operations, 'attributes')
  if (merged instanceof ApiError) return merged
  const { attributesJson } = merged
  const event = addEvent(state, job, attributesJson)
  const object = objectOf(event)
  if (job.notify !== false) state.notify(topicOf(event), object, event)
  return { id: event.id, attributesJson, createdAt: event.at, json: object }
}

/** An event of a guided flow. Its attributes are right as they are, and nobody is answered with it. */
export function trackOwnEvent(
  state: BatchState,
  { attributesJson, ...own }: HistoryEvent,
  { timeMs, requestId, notify }: { timeMs: number; requestId: string | undefined; notify: boolean },
): void {
  const event = addEvent(state, { kind: 'event', ...own, time: isoTime(timeMs), timeMs, requestId }, attributesJson)
  if (notify) state.notify(topicOf(event), () => objectOf(event), event)
}

function addEvent(state: BatchState, job: TrackEventJob, attributesJson: string): NewEvent {
  const event = { ...job, id: state.stamp.newId(), at: state.stamp.at, attributesJson }
  state.events.push(event)
  const isFromPage = job.page !== undefined
  state.newDefinitions.seenOnEvent(job.name, job.timeMs, job.operations, {
    objectId: job.userId,
    groupId: job.groupId,
    eventId: event.id,
    requestId: job.requestId,
    isFromPage,
  })
  return event
}

const topicOf = ({ name }: NewEvent) => `event.tracked.${name}` as const

function objectOf({ id, attributesJson, at, name, time, userId, groupId }: NewEvent): string {
  return renderEvent({ id, attributesJson, created_at: at, name, time, user_id: userId, group_id: groupId })
}

const writtenByUsher = (name: string) =>
  `attributes.${name}: ${name} is written by Usher itself. Leave it out, or use another name.`
