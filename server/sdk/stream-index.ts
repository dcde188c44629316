import type { EnvironmentId } from '../database/database.ts'
import type { PushSink } from '../http/reply.ts'

/** An open stream of a browser. */
export interface Stream {
  readonly environmentId: EnvironmentId
  readonly userId: string
  /** A user of that id who was created at another time is another one. */
  readonly userCreatedAt: string
  /** The group that the page names. */
  readonly named: string | undefined
  readonly userKey: string
  /** Of the current group of the user. */
  groupKey: string | undefined
  readonly browser: string
  readonly address: string
  readonly openedAt: number
  readonly sink: PushSink
  readonly isAllowed: () => Promise<boolean>
}

/** The open streams of a node: by browser, by what they hear of, and how many there are of an environment and an address. */
export class StreamIndex {
  readonly #byKey = new Map<string, Set<Stream>>()
  readonly #byBrowser = new Map<string, Stream>()
  readonly #perEnvironment = new Map<EnvironmentId, number>()
  readonly #perAddress = new Map<string, number>()

  get size(): number {
    return this.#byBrowser.size
  }

  get all(): Stream[] {
    return [...this.#byBrowser.values()]
  }

  ofBrowser(browser: string): Stream | undefined {
    return this.#byBrowser.get(browser)
  }

  ofKey(key: string): Iterable<Stream> {
    return this.#byKey.get(key) ?? []
  }

  ofEnvironment(environmentId: EnvironmentId): Stream[] {
    return this.all.filter((stream) => stream.environmentId === environmentId)
  }

  countOfEnvironment(environmentId: EnvironmentId): number {
    return this.#perEnvironment.get(environmentId) ?? 0
  }

  countOfAddress(address: string): number {
    return this.#perAddress.get(address) ?? 0
  }

  has(stream: Stream): boolean {
    return this.#byKey.get(stream.userKey)?.has(stream) ?? false
  }

  add(stream: Stream): void {
    this.#byBrowser.set(stream.browser, stream)
    this.#listen(stream, stream.userKey)
    this.#listen(stream, stream.groupKey)
    change(this.#perEnvironment, stream.environmentId, 1)
    change(this.#perAddress, stream.address, 1)
  }

  /** False when it was not there. */
  remove(stream: Stream): boolean {
    if (!this.has(stream)) return false
    if (this.#byBrowser.get(stream.browser) === stream) this.#byBrowser.delete(stream.browser)
    this.#forget(stream, stream.userKey)
    this.#forget(stream, stream.groupKey)
    change(this.#perEnvironment, stream.environmentId, -1)
    change(this.#perAddress, stream.address, -1)
    return true
  }

  /** The user has another current group. */
  move(stream: Stream, groupKey: string | undefined): void {
    this.#forget(stream, stream.groupKey)
    stream.groupKey = groupKey
    this.#listen(stream, groupKey)
  }

  #listen(stream: Stream, key: string | undefined): void {
    if (key === undefined) return
    const streams = this.#byKey.get(key) ?? new Set()
    this.#byKey.set(key, streams.add(stream))
  }

  #forget(stream: Stream, key: string | undefined): void {
    if (key === undefined) return
    const streams = this.#byKey.get(key)
    streams?.delete(stream)
    if (streams?.size === 0) this.#byKey.delete(key)
  }
}

function change<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
