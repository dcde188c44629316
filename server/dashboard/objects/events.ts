import { errors } from '../../errors.ts'
import { eventJob } from '../../events/routes.ts'
import type { Written } from '../../writes/jobs.ts'
import type { DashboardHandlers } from '../call.ts'
import type { DashboardParts } from '../parts.ts'
import { uuidOf } from '../uuid.ts'
import { eventOutput } from './timeline.ts'
import { findEvent } from './timeline-queries.ts'
import { entryOf, writeRight } from './write.ts'

/** Events: tracked by hand from a profile, and read by id. */
export function eventHandlers({ services }: DashboardParts): Pick<DashboardHandlers, 'trackEvent' | 'getEvent'> {
  return {
    trackEvent: async (call) => {
      const { environment, body } = call
      const job = eventJob(body, services.now())
      const { name, userId: user_id, groupId: group_id, time } = job
      const after = { user_id, group_id }
      const of = { userId: user_id, groupId: group_id }
      const audit = ({ id }: Written) => entryOf(call, { action: 'event.tracked', target: { id, name }, of, after })
      const written = await services.write(environment.id, { ...job, audit, right: writeRight(call) })
      const { id, createdAt: created_at, attributesJson } = written
      return { id, name, user_id, group_id, time, created_at, attributes: JSON.parse(attributesJson) }
    },

    getEvent: async ({ environment, params }) => {
      const id = uuidOf(params.event_id)
      const row = id === undefined ? undefined : await findEvent(services.database, environment.id, id)
      if (!row) throw errors.gone('Event', params.event_id)
      return eventOutput(row)
    },
  }
}
