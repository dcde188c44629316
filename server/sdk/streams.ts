import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { StreamMessage } from '../../contract/sdk/protocol.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import { errors } from '../errors.ts'
import type { Hints } from '../hints/hints.ts'
import { hintKey, hintSubject } from '../hints/keys.ts'
import type { Changes } from '../hints/pending.ts'
import type { PushSink } from '../http/reply.ts'
import type { Log } from '../log.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { findCurrentGroups, type Subject } from '../memberships/current-groups.ts'
import { findCreations } from '../objects/queries.ts'
import { users } from '../objects/tables.ts'
import { addressKey } from './addresses.ts'
import type { VisitorCaller } from './admission.ts'
import { RecentChanges } from './recent-changes.ts'
import { type Stream, StreamIndex } from './stream-index.ts'

/**
 * Each stream gets a beat in this time. A page hears nothing for 60 s before it gives its stream up, and so do nginx and the
 * balancers of AWS; Heroku waits 55 s, HAProxy often 50 s. A beat takes 30 µs, most of it in the kernel.
 */
export const ALL_BEATS_MS = 45_000
/** So that not all are written to at once, which takes 0.3 s for 10,000 streams. */
const BEATS = 90
/** How long pages spread their questions when everyone is told, and their new streams when a node stops. */
const SPREAD_MS = 10_000
/** A page that does not read is disconnected. */
const MOST_UNREAD = 16_384
/** Then the page opens its stream again and decides, which renews its visitor token: half of the time of that is over. */
const LONGEST_MS = sdkLimits.visitorSeconds * 500

/** For so long after its last stream an environment is watched: a page that follows another one opens its stream in it. */
const WATCHED_AFTER_MS = 60_000

/** Users whose current groups are read in one statement. */
const MOST_TOGETHER = 500

/** The open streams of this node, one for each browser. */
export class Streams {
  readonly #hints: Hints
  readonly #database: Queryable
  readonly #log: Log
  readonly #index = new StreamIndex()
  readonly #watched = new Map<EnvironmentId, RecentChanges>()
  /** Ends the watch of environments without streams. */
  readonly #unwatching = new Map<EnvironmentId, NodeJS.Timeout>()
  readonly #timer: NodeJS.Timeout
  #opened = 0
  #beats = 0
  #isClosed = false

  constructor(hints: Hints, database: Queryable, log: Log) {
    this.#hints = hints
    this.#database = database
    this.#log = log
    hints.onChanges = (environmentId, changes, isHashed) => this.#tell(environmentId, changes, isHashed)
    hints.onOff = (environmentId) => this.#takeDown(environmentId)
    this.#timer = setInterval(() => void this.#beat(), ALL_BEATS_MS / BEATS).unref()
  }

  get size(): number {
    return this.#index.size
  }

  /** A second stream of a browser replaces the first. `isAllowed` is asked again with each change, and at each beat. */
  open(
    { side, visitor, address }: VisitorCaller,
    group: string | undefined,
    sink: PushSink,
    isAllowed: () => MaybePromise<boolean>,
  ): void {
    const { environmentId } = side
    const { userId, userCreatedAt, groupId, browserId } = visitor
    const stream: Stream = {
      ...{ environmentId, userId, userCreatedAt, named: groupId ?? undefined },
      user: hintSubject('user', userId),
      group,
      browser: `${environmentId} ${browserId}`,
      address: addressKey(address),
      ...{ openedAt: performance.now(), beat: this.#opened % BEATS, sink, isAllowed },
    }
    this.#opened += 1
    const earlier = this.#index.ofBrowser(stream.browser)
    if (earlier) this.#end(earlier, { type: 'replaced' })
    // Others may have opened theirs since the check.
    const isFull = this.#isFull(environmentId, stream.address)
    this.#index.add(stream)
    const recent = this.#watch(environmentId)
    sink.onClose(() => this.#remove(stream))
    const subjects = group === undefined ? [stream.user] : [stream.user, group]
    const isBehind = recent.mayHaveMissed(subjects, stream.openedAt)
    sink.write(`retry: 2000\n${isBehind ? dataOf({ type: 'hint', within_ms: 0 }) : '\n'}`)
    if (this.#isClosed || isFull) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
  }

  /** Refuses a stream over the share of its environment or its address, before it is opened. */
  check({ side: { environmentId }, address }: VisitorCaller): void {
    if (this.#isFull(environmentId, addressKey(address)))
      throw errors.tooManyFromPages('There are too many open streams of this environment or address.', 60)
  }

  #isFull(environmentId: EnvironmentId, address: string): boolean {
    return (
      this.#index.countOfEnvironment(environmentId) >= sdkLimits.streamsPerEnvironment ||
      this.#index.countOfAddress(address) >= sdkLimits.streamsPerAddress
    )
  }

  /** What a stream of this visitor hears of beside its user: the current group, if something is asked of groups. */
  async groupOf({ side: { environmentId }, visitor: { userId, groupId } }: VisitorCaller): Promise<string | undefined> {
    const subject = { userId, groupId: groupId ?? undefined }
    return (await this.#groups(environmentId, [subject]))[0]
  }

  /** Tokens, origins or the setting of identity have changed: ends the streams that would not be opened any more. */
  async endRefused(streams: Iterable<Stream> = this.#index.all): Promise<void> {
    for (const stream of streams) {
      // Nearly never a promise. Awaiting one for each took a tenth of what the beats take.
      const isAllowed = stream.isAllowed()
      if (!(isAllowed instanceof Promise ? await isAllowed : isAllowed))
        this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
    }
  }

  /** Ends all of them. Each page opens its stream again at a time of its own within ten seconds, on another node. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const timer of this.#unwatching.values()) clearTimeout(timer)
    for (const stream of this.#index.all) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
  }

  #tell(environmentId: EnvironmentId, changes: Changes, isHashed: boolean): void {
    this.#watched.get(environmentId)?.note(changes, isHashed, performance.now())
    const { subjects, sessions } = changes
    const streamsOf = (subject: string) =>
      (isHashed ? this.#index.ofKey(subject) : this.#index.ofSubject(environmentId, subject)) ?? []
    for (const [id, user] of sessions) for (const stream of streamsOf(user)) send(stream, { type: 'session', id })
    if (subjects === 'everyone') this.#tellEveryone(environmentId)
    else {
      const told = new Set<Stream>()
      for (const subject of subjects) for (const stream of streamsOf(subject)) told.add(stream)
      if (told.size > 0) this.#tellSome(environmentId, told, new Set(subjects))
    }
  }

  /** Those whose own user has changed are followed. The subjects of another node are keys. */
  #tellSome(environmentId: EnvironmentId, streams: ReadonlySet<Stream>, subjects: ReadonlySet<string>): void {
    for (const stream of streams) send(stream, { type: 'hint', within_ms: 0 })
    const changed = [...streams].filter(({ user }) => subjects.has(user) || subjects.has(hintKey(environmentId, user)))
    void this.#follow(environmentId, changed)
  }

  #tellEveryone(environmentId: EnvironmentId): void {
    const streams = this.#index.ofEnvironment(environmentId)
    for (const stream of streams) send(stream, { type: 'hint', within_ms: SPREAD_MS })
    void this.#follow(environmentId, streams)
  }

  /** What is shown goes away at once. Only the questions are spread. */
  #takeDown(environmentId: EnvironmentId): void {
    this.#watched.get(environmentId)?.note({ subjects: 'everyone', sessions: new Map() }, false, performance.now())
    for (const stream of this.#index.ofEnvironment(environmentId))
      send(stream, { type: 'hint', within_ms: SPREAD_MS, off: true })
  }

  /** The users may be deleted, and their current groups be others, since they or what is asked of groups have changed. */
  async #follow(environmentId: EnvironmentId, streams: readonly Stream[]): Promise<void> {
    try {
      for (let from = 0; from < streams.length; from += MOST_TOGETHER) {
        const some = streams.slice(from, from + MOST_TOGETHER)
        await Promise.all([this.#endDeleted(environmentId, some), this.#followGroups(environmentId, some)])
      }
    } catch (error) {
      logFailure(
        this.#log,
        error,
        { environmentId },
        'could not read the users of streams: open pages hear of them later',
      )
    }
  }

  async #endDeleted(environmentId: EnvironmentId, streams: readonly Stream[]): Promise<void> {
    const ids = [...new Set(streams.map(({ userId }) => userId))]
    const createdAt = await findCreations(this.#database, environmentId, users, ids)
    for (const stream of streams)
      if (createdAt.get(stream.userId) !== stream.userCreatedAt) this.#end(stream, { type: 'close', within_ms: 0 })
  }

  async #followGroups(environmentId: EnvironmentId, streams: readonly Stream[]): Promise<void> {
    const subjects = streams.map(({ userId, named }) => ({ userId, groupId: named }))
    const groups = await this.#groups(environmentId, subjects)
    for (const [index, stream] of streams.entries()) {
      if (groups[index] === stream.group || !this.#index.has(stream)) continue
      this.#index.move(stream, groups[index])
      // The group may have changed before it was heard of.
      send(stream, { type: 'hint', within_ms: 0 })
    }
  }

  async #groups(environmentId: EnvironmentId, subjects: readonly Subject[]): Promise<(string | undefined)[]> {
    if (!this.#hints.interestOf(environmentId).hasGroups) return subjects.map(() => undefined)
    const ids = await findCurrentGroups(this.#database, environmentId, subjects)
    return ids.map((id) => (id === undefined ? undefined : hintSubject('group', id)))
  }

  async #beat(): Promise<void> {
    this.#beats += 1
    for (const recent of this.#watched.values()) recent.forget(performance.now())
    const streams = [...this.#index.ofBeat(this.#beats % BEATS)]
    for (const stream of streams) {
      if (performance.now() - stream.openedAt > LONGEST_MS) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
      else stream.sink.write(': still here\n\n')
    }
    // Only now: a database that is slow to answer delays no beat.
    await this.endRefused(streams)
  }

  #end(stream: Stream, message: StreamMessage): void {
    if (!this.#index.has(stream)) return
    send(stream, message)
    this.#remove(stream)
    stream.sink.end()
  }

  #remove(stream: Stream): void {
    const { environmentId } = stream
    if (!this.#index.remove(stream) || this.#index.countOfEnvironment(environmentId) > 0 || this.#isClosed) return
    const unwatch = () => {
      this.#hints.unwatch(environmentId)
      this.#watched.delete(environmentId)
    }
    this.#unwatching.set(environmentId, setTimeout(unwatch, WATCHED_AFTER_MS).unref())
  }

  #watch(environmentId: EnvironmentId): RecentChanges {
    clearTimeout(this.#unwatching.get(environmentId))
    this.#unwatching.delete(environmentId)
    let recent = this.#watched.get(environmentId)
    if (!recent) {
      recent = new RecentChanges(environmentId, performance.now())
      this.#watched.set(environmentId, recent)
      this.#hints.watch(environmentId)
    }
    return recent
  }
}

function send({ sink }: Stream, message: StreamMessage): void {
  if (sink.unread > MOST_UNREAD) sink.destroy()
  else sink.write(dataOf(message))
}

function dataOf(message: StreamMessage): string {
  return `data: ${JSON.stringify(message)}\n\n`
}
