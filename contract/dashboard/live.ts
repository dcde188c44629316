import type { Static } from 'typebox'
import { Type } from '../type.ts'
import { count, flag, number, orNull, resource, Series, text, time } from './fields.ts'
import { Rejection } from './home.ts'
import { paths } from './paths.ts'

/**
 * Requests as they arrive. Only the memory of the nodes holds them: the latest ones and every refusal. Under high load some
 * successful requests are left out.
 */

export const LiveRequest = resource({
  id: text,
  at: time,
  method: text,
  /** With its query. */
  url: text,
  /** `upsertUser`, `trackEvent` …; null when there is nothing at the path. */
  operation: orNull(text),
  status: count,
  /** The error code and field of a refusal. */
  code: orNull(text),
  field: orNull(text),
  message: orNull(text),
  duration_ms: number,
  key_id: orNull(count),
  key_name: orNull(text),
  /** The objects of the request, as far as it names them. */
  user_id: orNull(text),
  group_id: orNull(text),
  /** Of a batch, that of its first event. */
  event_name: orNull(text),
  /** How many operations a batch has; null for other requests. */
  operations: orNull(count),
  /** Answered with the stored answer of an earlier request with the same Idempotency-Key: nothing was stored. */
  is_replay: flag,
})
export type LiveRequest = Static<typeof LiveRequest>

/** The bodies are cut at 16 KB (2 KB when another node has them) and are null for viewers: `is_hidden`. */
const Body = resource({ text: orNull(text), bytes: count, is_cut: flag, is_hidden: flag })

export const LiveRequestDetail = resource({
  ...LiveRequest.properties,
  address: orNull(text),
  /** `ak_4hx…m7qa` */
  key_shown: orNull(text),
  request: Body,
  answer: Body,
})
export type LiveRequestDetail = Static<typeof LiveRequestDetail>

/** One message of the stream (`data:` of a server-sent event). The first one holds the requests in memory, newest last. */
export const LiveMessage = resource({
  at: time,
  requests: Type.Array(LiveRequest),
  /** Requests since the message before that are not among `requests`: there were too many to show. */
  left_out: count,
})
export type LiveMessage = Static<typeof LiveMessage>

/** A reason for refusals of the last 24 hours. `keys` are the API keys of these requests, most frequent first. */
export const RequestError = resource({
  ...Rejection.properties,
  hours: Series,
  keys: Type.Array(resource({ key_id: orNull(count), name: orNull(text), count })),
})
export type RequestError = Static<typeof RequestError>

export const liveOperations = {
  /** `text/event-stream`; the response is the schema of one message. Filtering is done in the browser. */
  watchLive: { ...paths.watchLive, produces: 'text/event-stream', response: LiveMessage },
  getRequest: { ...paths.getRequest, response: LiveRequestDetail },
  listRequestErrors: {
    ...paths.listRequestErrors,
    response: resource({ data: Type.Array(RequestError), total: count }),
  },
} as const
