import { onSessionChange } from '../session/changes.ts'
import { Hub } from './hub.ts'
import type { FromHub, ToHub } from './hub-messages.ts'

const BEAT_MS = 5000

/** The connection of a tab to the hub. A hub that does not answer has ended with its process, and is started again. */
export class HubLink {
  readonly #url: string
  readonly #take: (message: FromHub) => void
  #port: MessagePort
  #beat: ReturnType<typeof setInterval> | undefined
  #isAnswered = true

  constructor(url: string, take: (message: FromHub) => void) {
    this.#url = url
    this.#take = take
    this.#port = this.#connect()
    // A page unregisters when it is left, and registers again when the browser restores it from its back/forward cache.
    addEventListener('pagehide', () => this.#say({ type: 'leave' }))
    addEventListener('pageshow', () => this.#beat !== undefined && this.#say({ type: 'watch', url }))
  }

  watch(): void {
    if (this.#beat !== undefined) return
    this.#isAnswered = true
    this.#ask()
    this.#beat = setInterval(() => this.#ask(), BEAT_MS)
  }

  leave(): void {
    clearInterval(this.#beat)
    this.#beat = undefined
    this.#say({ type: 'leave' })
  }

  #ask(): void {
    if (!this.#isAnswered) this.#reconnect()
    this.#isAnswered = false
    this.#say({ type: 'watch', url: this.#url })
  }

  #reconnect(): void {
    // The old hub may only have been slow: its port is closed, so that no row comes twice.
    this.#say({ type: 'leave' })
    this.#port.close()
    this.#isAnswered = true
    this.#port = this.#connect()
  }

  #connect(): MessagePort {
    const port = portOfHub(() => {
      this.#reconnect()
      if (this.#beat !== undefined) this.#ask()
    })
    port.onmessage = ({ data }: MessageEvent<FromHub>) => {
      this.#isAnswered = true
      this.#take(data)
    }
    return port
  }

  #say(message: ToHub): void {
    this.#port.postMessage(message)
  }
}

let isShared = 'SharedWorker' in globalThis
let own: Hub | undefined

/** A port to the hub of all tabs; to one in this tab where the browser has no shared workers or could not load it. */
function portOfHub(retry: () => void): MessagePort {
  if (!isShared) return portOfOwnHub()
  try {
    const worker = new SharedWorker(new URL('./hub-worker.ts', import.meta.url), { type: 'module', name: 'usher-live' })
    worker.onerror = () => {
      isShared = false
      retry()
    }
    return worker.port
  } catch {
    isShared = false
    return portOfOwnHub()
  }
}

function portOfOwnHub(): MessagePort {
  own ??= newOwnHub()
  const { port1, port2 } = new MessageChannel()
  own.connect(port1)
  return port2
}

function newOwnHub(): Hub {
  const hub = new Hub()
  onSessionChange(() => hub.restart())
  return hub
}
