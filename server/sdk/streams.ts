import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { StreamMessage } from '../../contract/sdk/protocol.ts'
import type { EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Hints } from '../hints/hints.ts'
import { hintKey } from '../hints/keys.ts'
import type { Changes } from '../hints/pending.ts'
import type { PushSink } from '../http/reply.ts'
import { addressKey } from './addresses.ts'
import type { VisitorCaller } from './admission.ts'

/** Shorter than the idle timeouts of this server and of proxies. */
const BEAT_MS = 25_000
/** How long pages spread their questions when everyone is told, and their new streams when a node stops. */
const SPREAD_MS = 10_000
/** A page that does not read is disconnected. */
const MOST_UNREAD = 16_384
/** A page opens its stream again with a newer visitor token. */
const LONGEST_MS = sdkLimits.visitorSeconds * 1000

interface Stream {
  environmentId: EnvironmentId
  /** Of the user, and of the current group. */
  keys: readonly string[]
  browser: string
  address: string
  openedAt: number
  sink: PushSink
  isAllowed: () => Promise<boolean>
}

/** The open streams of this node, one for each browser. */
export class Streams {
  readonly #hints: Hints
  readonly #byKey = new Map<string, Set<Stream>>()
  readonly #byBrowser = new Map<string, Stream>()
  readonly #perEnvironment = new Map<EnvironmentId, number>()
  readonly #perAddress = new Map<string, number>()
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor(hints: Hints) {
    this.#hints = hints
    hints.onChanges = (environmentId, changes) => this.#tell(environmentId, changes)
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS).unref()
  }

  get size(): number {
    return this.#byBrowser.size
  }

  /** A second stream of a browser replaces the first. `isAllowed` is asked again and again. */
  open({ side, visitor, address }: VisitorCaller, sink: PushSink, isAllowed: () => Promise<boolean>): void {
    const { environmentId } = side
    const { userId, groupId, browserId } = visitor
    const keys = [
      hintKey(environmentId, 'user', userId),
      ...(groupId === null ? [] : [hintKey(environmentId, 'group', groupId)]),
    ]
    const browser = `${environmentId} ${browserId}`
    const stream = { environmentId, keys, browser, address: addressKey(address), openedAt: Date.now(), sink, isAllowed }
    const earlier = this.#byBrowser.get(browser)
    if (earlier) this.#end(earlier, { type: 'replaced' })
    this.#add(stream)
    sink.onClose(() => this.#remove(stream))
    sink.write('retry: 2000\n\n')
    if (this.#isClosed) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
  }

  /** Refuses a stream over the share of its environment or its address, before it is opened. */
  check({ side: { environmentId }, address }: VisitorCaller): void {
    const isFull =
      (this.#perEnvironment.get(environmentId) ?? 0) >= sdkLimits.streamsPerEnvironment ||
      (this.#perAddress.get(addressKey(address)) ?? 0) >= sdkLimits.streamsPerAddress
    if (isFull) throw errors.tooManyFromPages('There are too many open streams of this environment or address.', 60)
  }

  /** Ends all of them. Each page opens its stream again at a time of its own within ten seconds, on another node. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const stream of [...this.#byBrowser.values()]) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
  }

  #tell(environmentId: EnvironmentId, { keys, sessions }: Changes): void {
    for (const [id, key] of sessions)
      for (const stream of this.#byKey.get(key) ?? []) send(stream, { type: 'session', id })
    if (keys !== 'everyone') {
      const told = new Set<Stream>()
      for (const key of keys) for (const stream of this.#byKey.get(key) ?? []) told.add(stream)
      for (const stream of told) send(stream, { type: 'hint', within_ms: 0 })
      return
    }
    for (const stream of this.#byBrowser.values())
      if (stream.environmentId === environmentId) send(stream, { type: 'hint', within_ms: SPREAD_MS })
  }

  async #beat(): Promise<void> {
    for (const stream of [...this.#byBrowser.values()]) {
      if (Date.now() - stream.openedAt > LONGEST_MS) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
      else if (await stream.isAllowed()) stream.sink.write(': still here\n\n')
      else stream.sink.end()
    }
  }

  #end(stream: Stream, message: StreamMessage): void {
    send(stream, message)
    this.#remove(stream)
    stream.sink.end()
  }

  #add(stream: Stream): void {
    this.#byBrowser.set(stream.browser, stream)
    for (const key of stream.keys) {
      const streams = this.#byKey.get(key) ?? new Set()
      this.#byKey.set(key, streams.add(stream))
    }
    change(this.#perEnvironment, stream.environmentId, 1)
    change(this.#perAddress, stream.address, 1)
    this.#hints.watch(stream.environmentId)
  }

  #remove(stream: Stream): void {
    const isOpen = stream.keys.some((key) => this.#byKey.get(key)?.has(stream))
    if (!isOpen) return
    if (this.#byBrowser.get(stream.browser) === stream) this.#byBrowser.delete(stream.browser)
    for (const key of stream.keys) {
      const streams = this.#byKey.get(key)
      streams?.delete(stream)
      if (streams?.size === 0) this.#byKey.delete(key)
    }
    change(this.#perEnvironment, stream.environmentId, -1)
    change(this.#perAddress, stream.address, -1)
    this.#hints.unwatch(stream.environmentId)
  }
}

function change<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

function send({ sink }: Stream, message: StreamMessage): void {
  if (sink.unread > MOST_UNREAD) sink.destroy()
  else sink.write(`data: ${JSON.stringify(message)}\n\n`)
}
