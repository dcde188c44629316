import type { Output } from '../../contract/dashboard/operations.ts'
import type { Connection, FromHub } from './hub-messages.ts'
import type { LiveRequest } from './queries.ts'
import { KEPT_ROWS, Ring } from './ring.ts'

const TRY_AGAIN_MS = 3000

/** One EventSource and its rows. It reconnects until it is closed. */
export class HubStream {
  readonly #url: string
  readonly #post: (message: FromHub) => void
  #ring = new Ring<LiveRequest>(KEPT_ROWS)
  #source: EventSource | undefined
  #retry: ReturnType<typeof setTimeout> | undefined
  #isFirst = true
  #connection: Connection = { state: 'connecting', gapSince: undefined }

  constructor(url: string, post: (message: FromHub) => void) {
    this.#url = url
    this.#post = post
    this.#open()
  }

  /** The current state for a new tab. */
  get soFar(): FromHub[] {
    return [
      { type: 'rows', rows: this.#ring.rows.toReversed() },
      { type: 'connection', connection: this.#connection },
    ]
  }

  /** Starts again for the member who is signed in now: earlier rows may belong to another member. */
  restart(): void {
    this.close()
    this.#ring = new Ring(KEPT_ROWS)
    this.#connection = { state: 'connecting', gapSince: undefined }
    for (const message of this.soFar) this.#post(message)
    this.#open()
  }

  close(): void {
    clearTimeout(this.#retry)
    this.#source?.close()
  }

  #open(): void {
    this.#isFirst = true
    const source = new EventSource(this.#url)
    source.onerror = () => this.#lose(source)
    source.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Output<'watchLive'>)
    this.#source = source
  }

  #lose(source: EventSource): void {
    this.#isFirst = true
    this.#is({ state: 'lost', gapSince: this.#connection.gapSince ?? new Date().toISOString() })
    // The browser reconnects automatically, unless the answer was not a stream.
    if (source.readyState !== EventSource.CLOSED) return
    this.#post({ type: 'refused' })
    this.#retry = setTimeout(() => this.#open(), TRY_AGAIN_MS)
  }

  /**
   * The first message of a connection has earlier requests, or none, and comes at once. They do not count for the rate. The
   * connection is open from then on: a tab that is told so before it has these requests would show that there are none.
   */
  #take({ requests, left_out }: Output<'watchLive'>): void {
    const added = this.#ring.add(requests)
    this.#post({ type: 'added', requests, arrived: this.#isFirst ? 0 : added + left_out })
    if (this.#isFirst) this.#is({ state: 'open', gapSince: undefined })
    this.#isFirst = false
  }

  #is(connection: Connection): void {
    this.#connection = connection
    this.#post({ type: 'connection', connection })
  }
}
