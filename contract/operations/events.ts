import type { Operation } from '../operation.ts'
import { ExpandQuery, ListEventsQuery } from '../queries.ts'
import { TrackEvent } from '../requests/objects.ts'

export const eventOperations = {
  trackEvent: {
    method: 'POST',
    path: '/events',
    tag: 'Events',
    summary: 'Track an event',
    description: 'Stores an event of a user, a group, or both. Neither is created by it.',
    query: ExpandQuery,
    body: TrackEvent,
    response: 'Event',
    errors: ['feature_not_available'],
    notifies: true,
  },
  listEvents: {
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'List events',
    description:
      'Returns a page of the events of the environment, the newest first. The order of `created_at` is the order in which they were stored.',
    query: ListEventsQuery,
    response: 'EventList',
    isAddition: true,
  },
  getEvent: {
    method: 'GET',
    path: '/events/:event_id',
    tag: 'Events',
    summary: 'Get an event',
    description: 'Returns the event with all attributes.',
    query: ExpandQuery,
    response: 'Event',
    errors: ['not_found'],
    isAddition: true,
  },
  deleteEvent: {
    method: 'DELETE',
    path: '/events/:event_id',
    tag: 'Events',
    summary: 'Delete an event',
    description:
      'Permanently deletes the event and its notification: a delivery of it that is waiting is not sent any more. Answers the same when there is no such event.',
    response: 'Deleted',
    isAddition: true,
  },
} as const satisfies Record<string, Operation>
