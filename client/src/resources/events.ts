import type { Definitions, EventName } from '../attributes.ts'
import { EventBuffer, type EventBufferOptions } from '../event-buffer.ts'
import type { Event, ExpandPath } from '../expand.ts'
import type { ExpandOptions, TrackEvent } from '../requests.ts'
import type { Transport } from '../transport.ts'

export class Events<D extends Definitions> {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Stores an event, and answers when it is stored. */
  track<N extends EventName<D>, const P extends ExpandPath<'event'> = never>(
    event: TrackEvent<D, N>,
    { expand, ...options }: ExpandOptions<'event', P> = {},
  ): Promise<Event<D, P, N>> {
    return this.#transport.request({ method: 'POST', path: '/events', query: { expand }, body: event }, options)
  }

  /** For many events: collects them in memory, and sends them in batches. */
  buffer(options: EventBufferOptions<D> = {}): EventBuffer<D> {
    return new EventBuffer(this.#transport, options)
  }
}
