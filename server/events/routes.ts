import { readDateTime, toRfc3339 } from '../../contract/datetime.ts'
import type { TrackEvent } from '../../contract/requests/objects.ts'
import type { ApiHandlers } from '../api.ts'
import { parseOperations } from '../attributes/operations.ts'
import { isoTime } from '../clock.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { checkExpansion, expander } from '../expand/written.ts'
import { isUuid } from '../ids.ts'
import { renderDeleted } from '../objects/render.ts'
import type { Services } from '../services.ts'
import { answerWithoutWrite, answerWrite, earlierAnswerOf } from '../writes/answer-write.ts'
import type { TrackEventJob } from '../writes/jobs.ts'
import { getEvent } from './get.ts'
import { answerEvents, eventSource } from './list.ts'

export function eventHandlers(services: Services) {
  return {
    trackEvent: async (call) => {
      const { grant, body, query, notify, exchange } = call
      const tree = parseExpand('event', query.expand, body.expand)
      if (body.group_id && !grant.plan.groups) throw errors.groupsNotAvailable(grant.planName)
      const job = eventJob(body, services.now(), notify, exchange.id)
      if (tree.size === 0) return await answerWrite(services, services.writes, call, job, ({ json }) => json)
      const show = expander(services.database, grant.environmentId, 'event', tree)
      const earlier = await earlierAnswerOf(services, call, show)
      if (earlier) return earlier
      await checkExpansion(services.database, grant.environmentId, 'event', tree, job)
      return await answerWrite(services, services.writes, call, job, ({ json }) => json, show)
    },

    listEvents: async ({ grant, query, address }) =>
      await answerEvents(services, grant.environmentId, eventSource(query), query, address()),

    getEvent: async ({ grant, params, query }) =>
      await getEvent(services.database, grant.environmentId, params.event_id, parseExpand('event', query.expand)),

    deleteEvent: async (call) => {
      const { event_id } = call.params
      const answer = renderDeleted('event', event_id)
      if (!isUuid(event_id)) return await answerWithoutWrite(services, call, answer)
      return await answerWrite(services, services.removals, call, { kind: 'remove_event', id: event_id }, () => answer)
    },
  } satisfies Partial<ApiHandlers>
}

/** `now`: the time of an event that has none. */
export function eventJob(body: TrackEvent, now: number, notify = true, requestId?: string): TrackEventJob {
  if (!body.user_id && !body.group_id) throw errors.invalidParams(['user_id: one of user_id and group_id is required'])
  if (body.user ?? body.group) refuseOtherOwner(body)
  return {
    kind: 'event',
    name: body.name,
    userId: body.user_id ?? null,
    groupId: body.group_id ?? null,
    operations: parseOperations(body.attributes),
    time: body.time ? toRfc3339(body.time) : isoTime(now),
    timeMs: body.time ? (readDateTime(body.time)?.milliseconds ?? now) : now,
    notify,
    requestId,
  }
}

/** The expanded user and group of an event that was read. They are ignored, so they must not name others. */
function refuseOtherOwner({ user, user_id, group, group_id }: TrackEvent): void {
  const problems = [
    ...(isOther(user, user_id) ? ['user.id: is not the id in user_id'] : []),
    ...(isOther(group, group_id) ? ['group.id: is not the id in group_id'] : []),
  ]
  if (problems.length > 0) throw errors.invalidParams(problems)
}

function isOther(object: unknown, id: string | null | undefined): boolean {
  return object != null && (object as { id?: unknown }).id !== id
}
