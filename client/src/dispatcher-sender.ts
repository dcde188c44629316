import { concatenate } from './bytes.ts'
import { lateError, type Sender, type WireAnswer, type WireRequest } from './sender.ts'
import { after } from './timer.ts'

/**
 * Sends by the dispatcher below Node's `fetch`: the same connections and the same proxy settings, without the web streams,
 * which cost more than the rest of a request. Undefined where there is none; `fetch` sends there.
 */
export function dispatcherSender(baseUrl: string): Sender | undefined {
  if (!isNode() || !dispatcher()) return undefined
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname === '/' ? '' : pathname
  return (request) =>
    new Promise((resolve, reject) => {
      // Asked for each time: the application may set another one.
      new Exchange(request, resolve, reject).start(dispatcher() as Dispatcher, origin, prefix)
    })
}

/** One request and its answer: the handler that the dispatcher calls. */
class Exchange implements Handler {
  readonly #request: WireRequest
  readonly #resolve: (answer: WireAnswer) => void
  readonly #reject: (error: unknown) => void
  readonly #timer: ReturnType<typeof setTimeout>
  #abort: (() => void) | undefined
  #status = 0
  #headers: readonly Text[] = []
  #chunks: Uint8Array[] = []
  #isOver = false

  constructor(request: WireRequest, resolve: (answer: WireAnswer) => void, reject: (error: unknown) => void) {
    this.#request = request
    this.#resolve = resolve
    this.#reject = reject
    this.#timer = after(request.timeoutMs, () => this.#giveUp(lateError(request)))
    request.signal?.addEventListener('abort', this, { once: true })
  }

  start(dispatcher: Dispatcher, origin: string, prefix: string): void {
    const { method, path, headers, body } = this.#request
    const call = { origin, path: prefix + path, method, headers, body, headersTimeout: 0, bodyTimeout: 0 }
    try {
      dispatcher.dispatch(call, this)
    } catch (error) {
      this.onError(error)
    }
  }

  /** The listener of the abort signal. */
  handleEvent(): void {
    this.#giveUp(this.#request.signal?.reason)
  }

  /** The request is about to be sent: not any more when it was given up while it waited for a connection. */
  onConnect(abort: () => void): void {
    this.#abort = abort
    if (this.#isOver) abort()
  }

  onHeaders(status: number, headers: readonly Text[] | null): boolean {
    this.#status = status
    this.#headers = headers ?? []
    return true
  }

  onData(chunk: Uint8Array): boolean {
    this.#chunks.push(chunk)
    return true
  }

  onComplete(): void {
    if (this.#end())
      this.#resolve({ status: this.#status, header: (name) => find(this.#headers, name), text: textOf(this.#chunks) })
  }

  onError(error: unknown): void {
    if (this.#end()) this.#reject(error)
  }

  #giveUp(reason: unknown): void {
    if (!this.#end()) return
    this.#reject(reason)
    this.#abort?.()
  }

  /** False when it has ended before. */
  #end(): boolean {
    if (this.#isOver) return false
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#request.signal?.removeEventListener('abort', this)
    return true
  }
}

const decoder = new TextDecoder()

function textOf(chunks: readonly Uint8Array[]): string {
  return decoder.decode(chunks.length === 1 ? chunks[0] : concatenate(chunks))
}

/** Names and values alternate. */
function find(headers: readonly Text[], name: string): string | null {
  for (let index = 0; index + 1 < headers.length; index += 2)
    if (String(headers[index]).toLowerCase() === name) return String(headers[index + 1])
  return null
}

/** A string, or a Buffer, whose `toString` is its text. */
interface Text {
  toString(): string
}

/** The first version of undici's handlers. Every dispatcher at the symbol below takes them. */
interface Handler {
  onConnect(abort: () => void): void
  onHeaders(status: number, headers: readonly Text[] | null): boolean
  onData(chunk: Uint8Array): boolean
  onComplete(): void
  onError(error: unknown): void
}
interface Dispatcher {
  dispatch(call: object, handler: Handler): boolean
}

/** Where Node and every version of undici keep the dispatcher of `fetch`. */
const DISPATCHER = Symbol.for('undici.globalDispatcher.1')

function dispatcher(): Dispatcher | undefined {
  const scope = globalThis as { [DISPATCHER]?: Dispatcher; Headers?: unknown }
  // Node loads its `fetch`, and sets the dispatcher, when one of its classes is asked for.
  return scope[DISPATCHER] ?? (scope.Headers ? scope[DISPATCHER] : undefined)
}

interface Process {
  release?: { name?: string }
  versions?: Record<string, string>
}

/** Bun, Deno and edge runtimes emulate parts of Node. Their own `fetch` is faster there. */
function isNode(): boolean {
  const { process } = globalThis as { process?: Process }
  const isNodeItself = process?.release?.name === 'node' && !process.versions?.bun && !process.versions?.deno
  return isNodeItself && !('EdgeRuntime' in globalThis) && !('WebSocketPair' in globalThis)
}
