import { readDateTime, toRfc3339 } from '../../contract/datetime.ts'
import type { TrackEvent } from '../../contract/requests.ts'
import type { ApiHandlers } from '../api.ts'
import { parseOperations } from '../attributes/operations.ts'
import { isoTime } from '../clock.ts'
import type { TrackEventJob } from '../commit/jobs.ts'
import { errors } from '../errors.ts'
import { parseExpand } from '../expand/paths.ts'
import { checkExpansion, renderWrittenEvent } from '../expand/written.ts'
import { isUuid } from '../ids.ts'
import { renderDeleted } from '../render.ts'
import type { Services } from '../services.ts'
import { getEvent } from './get.ts'
import { answerEvents } from './list.ts'
import { removeEvents } from './remove.ts'

export function eventHandlers(services: Services) {
  return {
    trackEvent: async ({ grant, body, query }) => {
      const tree = parseExpand('event', query.expand, body.expand)
      const job = eventJob(body)
      if (tree.size > 0) await checkExpansion(services.database, grant.environmentId, 'event', tree, job)
      const written = await services.write(grant.environmentId, job)
      if (tree.size === 0) return written.json
      const row = {
        id: written.id,
        attributes: written.attributes,
        created_at: written.createdAt,
        name: job.name,
        time: job.time,
        user_id: job.userId,
        group_id: job.groupId,
      }
      return await renderWrittenEvent(services.database, grant.environmentId, row, tree)
    },

    listEvents: async ({ grant, query, address }) =>
      await answerEvents(services, grant.environmentId, query, address()),

    getEvent: async ({ grant, params, query }) =>
      await getEvent(services.database, grant.environmentId, params.event_id, parseExpand('event', query.expand)),

    deleteEvent: async ({ grant, params: { event_id } }) => {
      if (isUuid(event_id)) await services.commits.submit(removeEvents, grant.environmentId, event_id)
      return renderDeleted('event', event_id)
    },
  } satisfies Partial<ApiHandlers>
}

export function eventJob(body: TrackEvent): TrackEventJob {
  if (!body.user_id && !body.group_id) throw errors.invalidParams(['user_id: one of user_id and group_id is required'])
  const now = Date.now()
  return {
    kind: 'event',
    name: body.name,
    userId: body.user_id ?? null,
    groupId: body.group_id ?? null,
    operations: parseOperations(body.attributes),
    time: body.time ? toRfc3339(body.time) : isoTime(now),
    timeMs: body.time ? (readDateTime(body.time)?.milliseconds ?? now) : now,
  }
}
