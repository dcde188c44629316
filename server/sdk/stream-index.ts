import type { EnvironmentId } from '../database/database.ts'
import { hintHash, hintKey } from '../hints/keys.ts'
import type { PushSink } from '../http/reply.ts'
import type { MaybePromise } from '../maybe-promise.ts'

/** An open stream of a browser. */
export interface Stream {
  readonly environmentId: EnvironmentId
  readonly userId: string
  /** A user of that id who was created at another time is another one. */
  readonly userCreatedAt: string
  /** The group that the page names. */
  readonly named: string | undefined
  /** What it hears of (`server/hints/keys.ts`): its user, and the current group of the user. */
  readonly user: string
  group: string | undefined
  readonly browser: string
  readonly address: string
  readonly openedAt: number
  /** Which of the beats it gets. */
  readonly beat: number
  readonly sink: PushSink
  readonly isAllowed: () => MaybePromise<boolean>
}

/** How many endings of hashes are told apart. With 10,000 streams a seventh of other users has an ending of one of them. */
const ENDINGS = 65_536
/** Such a count is not changed any more. */
const UNCOUNTED = 255

/** The open streams of a node: by browser, by what they hear of, and how many there are of an environment and an address. */
export class StreamIndex {
  readonly #bySubject = new Map<EnvironmentId, Map<string, Set<Stream>>>()
  /** How many subjects have a hash that ends so. Most events are of users without a stream, and need no look into a large map. */
  readonly #endings = new Uint8Array(ENDINGS)
  /** The same sets by the keys of their subjects, for what other nodes tell. */
  readonly #byKey = new Map<string, Set<Stream>>()
  readonly #byBrowser = new Map<string, Stream>()
  readonly #byBeat = new Map<number, Set<Stream>>()
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

  ofBeat(beat: number): Iterable<Stream> {
    return this.#byBeat.get(beat) ?? []
  }

  ofSubject(environmentId: EnvironmentId, subject: string): ReadonlySet<Stream> | undefined {
    return this.#endings[endingOf(subject)] === 0 ? undefined : this.#bySubject.get(environmentId)?.get(subject)
  }

  ofKey(key: string): ReadonlySet<Stream> | undefined {
    return this.#byKey.get(key)
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
    return this.#bySubject.get(stream.environmentId)?.get(stream.user)?.has(stream) ?? false
  }

  add(stream: Stream): void {
    this.#byBrowser.set(stream.browser, stream)
    const together = this.#byBeat.get(stream.beat) ?? new Set()
    this.#byBeat.set(stream.beat, together.add(stream))
    this.#listen(stream, stream.user)
    this.#listen(stream, stream.group)
    change(this.#perEnvironment, stream.environmentId, 1)
    change(this.#perAddress, stream.address, 1)
  }

  /** False when it was not there. */
  remove(stream: Stream): boolean {
    if (!this.has(stream)) return false
    if (this.#byBrowser.get(stream.browser) === stream) this.#byBrowser.delete(stream.browser)
    this.#byBeat.get(stream.beat)?.delete(stream)
    this.#forget(stream, stream.user)
    this.#forget(stream, stream.group)
    change(this.#perEnvironment, stream.environmentId, -1)
    change(this.#perAddress, stream.address, -1)
    return true
  }

  /** The user has another current group. */
  move(stream: Stream, group: string | undefined): void {
    this.#forget(stream, stream.group)
    stream.group = group
    this.#listen(stream, group)
  }

  #listen(stream: Stream, subject: string | undefined): void {
    if (subject === undefined) return
    const { environmentId } = stream
    const bySubject = this.#bySubject.get(environmentId) ?? new Map<string, Set<Stream>>()
    this.#bySubject.set(environmentId, bySubject)
    const streams = bySubject.get(subject)
    if (streams) streams.add(stream)
    else {
      const alone = new Set([stream])
      bySubject.set(subject, alone)
      this.#byKey.set(hintKey(environmentId, subject), alone)
      this.#count(subject, 1)
    }
  }

  #forget(stream: Stream, subject: string | undefined): void {
    if (subject === undefined) return
    const { environmentId } = stream
    const bySubject = this.#bySubject.get(environmentId)
    const streams = bySubject?.get(subject)
    streams?.delete(stream)
    if (streams?.size !== 0) return
    bySubject?.delete(subject)
    if (bySubject?.size === 0) this.#bySubject.delete(environmentId)
    this.#byKey.delete(hintKey(environmentId, subject))
    this.#count(subject, -1)
  }

  #count(subject: string, by: number): void {
    const ending = endingOf(subject)
    const count = this.#endings[ending] as number
    if (count !== UNCOUNTED) this.#endings[ending] = count + by
  }
}

function endingOf(subject: string): number {
  const hash = hintHash(subject)
  return (hash ^ (hash >>> 16)) & (ENDINGS - 1)
}

function change<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
