import { Client, type Dispatcher } from 'undici'
import type { AttemptHandler, Carrier } from './attempt.ts'
import type { Dialer, DialTiming } from './dial.ts'
import { hostOf } from './url.ts'

const IDLE_SOCKET_MS = 4000

/** HTTP/1.1, one request at a time on a socket. Our own timer replaces those of undici. */
export const clientOptions: Client.Options = {
  allowH2: false,
  pipelining: 1,
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: IDLE_SOCKET_MS,
  keepAliveMaxTimeout: IDLE_SOCKET_MS,
  keepAliveTimeoutThreshold: 1000,
}

/** The handler is also an option, because a pool hands its clients a wrapper of the handler. */
export interface AttemptOptions extends Dispatcher.DispatchOptions {
  attemptHandler: AttemptHandler
}

/** undici does not report which connection a request used. This client passes it to the handler, for its timing. */
export class TimedClient extends Client implements Carrier {
  #timing: DialTiming | undefined

  constructor(url: URL, options: object, dialer: Dialer) {
    const secure = url.protocol === 'https:'
    const port = Number(url.port === '' ? (secure ? 443 : 80) : url.port)
    const target = { host: hostOf(url), port, secure }
    super(url.origin, {
      ...options,
      connect: (_, done) => {
        dialer.dial(target).then(
          ({ socket, timing }) => {
            this.#timing = timing
            done(null, socket)
          },
          (error) => done(error, null),
        )
      },
    })
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if ('attemptHandler' in options) (options as AttemptOptions).attemptHandler.carrier = this
    return super.dispatch(options, handler)
  }

  takeDialTiming(): DialTiming | undefined {
    const timing = this.#timing
    this.#timing = undefined
    return timing
  }
}
