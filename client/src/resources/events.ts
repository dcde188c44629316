import type { Definitions, EventName } from '../attributes.ts'
import { EventBuffer, type EventBufferOptions } from '../event-buffer.ts'
import type { Event, ExpandPath } from '../expand.ts'
import type { Deleted, Operations } from '../generated.ts'
import { List } from '../list.ts'
import type { RequestOptions } from '../options.ts'
import type { Expand, ExpandOptions, ListQuery, TrackEvent } from '../requests.ts'
import type { Transport } from '../transport.ts'

/** `time: { gte, lt }` bounds the time of the events. */
export type ListEvents<D extends Definitions = Definitions> = Omit<
  ListQuery<Operations['listEvents']['query'], 'events'>,
  'name' | 'time[gte]' | 'time[lt]'
> & {
  name?: EventName<D> | undefined
  time?: { gte?: string | Date | undefined; lt?: string | Date | undefined } | undefined
}

export class Events<D extends Definitions> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Stores an event. Resolves when it is stored. */
  track<N extends EventName<D>, const P extends ExpandPath<'event'> = never>(
    event: TrackEvent<D, N>,
    { expand, ...options }: ExpandOptions<'event', P> = {},
  ): Promise<Event<D, P, N>> {
    return this.#transport.request({ method: 'POST', path: '/events', query: { expand }, body: event }, options)
  }

  retrieve<const P extends ExpandPath<'event'> = never>(
    id: string,
    { expand, ...options }: ExpandOptions<'event', P> = {},
  ): Promise<Event<D, P>> {
    return this.#transport.request({ method: 'GET', path: pathOf(id), query: { expand } }, options)
  }

  delete(id: string, options: RequestOptions = {}): Promise<Deleted> {
    return this.#transport.request({ method: 'DELETE', path: pathOf(id) }, options)
  }

  /** The latest first, unless `order_by` says otherwise. */
  list<const P extends ExpandPath<'event'> = never>(
    query: ListEvents<D> & Expand<P> = {},
    options: RequestOptions = {},
  ): List<Event<D, P>> {
    return new List(this.#transport, '/events', query, options)
  }

  /** For many events: collects them in memory, and sends them in batches. */
  buffer(options: EventBufferOptions<D> = {}): EventBuffer<D> {
    return new EventBuffer(this.#transport, options)
  }
}

function pathOf(id: string): string {
  return `/events/${encodeURIComponent(id)}`
}
