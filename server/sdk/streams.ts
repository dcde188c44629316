import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { StreamMessage } from '../../contract/sdk/protocol.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { logFailure } from '../database/log-failure.ts'
import { errors } from '../errors.ts'
import type { Hints } from '../hints/hints.ts'
import { hintKey } from '../hints/keys.ts'
import type { Changes } from '../hints/pending.ts'
import type { PushSink } from '../http/reply.ts'
import type { Log } from '../log.ts'
import { findCurrentGroups, type Subject } from '../memberships/current-groups.ts'
import { findCreations } from '../objects/queries.ts'
import { users } from '../objects/tables.ts'
import { addressKey } from './addresses.ts'
import type { VisitorCaller } from './admission.ts'
import { type Stream, StreamIndex } from './stream-index.ts'

/** Shorter than the idle timeouts of this server and of proxies. */
const BEAT_MS = 25_000
/** How long pages spread their questions when everyone is told, and their new streams when a node stops. */
const SPREAD_MS = 10_000
/** A page that does not read is disconnected. */
const MOST_UNREAD = 16_384
/** Then the page opens its stream again and decides, which renews its visitor token: half of the time of that is over. */
const LONGEST_MS = sdkLimits.visitorSeconds * 500

/** Users whose current groups are read in one statement. */
const MOST_TOGETHER = 500

/** The open streams of this node, one for each browser. */
export class Streams {
  readonly #hints: Hints
  readonly #database: Queryable
  readonly #log: Log
  readonly #index = new StreamIndex()
  readonly #timer: NodeJS.Timeout
  #isClosed = false

  constructor(hints: Hints, database: Queryable, log: Log) {
    this.#hints = hints
    this.#database = database
    this.#log = log
    hints.onChanges = (environmentId, changes) => this.#tell(environmentId, changes)
    hints.onOff = (environmentId) => this.#takeDown(environmentId)
    this.#timer = setInterval(() => void this.#beat(), BEAT_MS).unref()
  }

  get size(): number {
    return this.#index.size
  }

  /** A second stream of a browser replaces the first. `isAllowed` is asked again with each change, and at each beat. */
  open(
    { side, visitor, address }: VisitorCaller,
    groupKey: string | undefined,
    sink: PushSink,
    isAllowed: () => Promise<boolean>,
  ): void {
    const { environmentId } = side
    const { userId, userCreatedAt, groupId, browserId } = visitor
    const stream: Stream = {
      ...{ environmentId, userId, userCreatedAt, named: groupId ?? undefined },
      userKey: hintKey(environmentId, 'user', userId),
      groupKey,
      browser: `${environmentId} ${browserId}`,
      address: addressKey(address),
      ...{ openedAt: Date.now(), sink, isAllowed },
    }
    const earlier = this.#index.ofBrowser(stream.browser)
    if (earlier) this.#end(earlier, { type: 'replaced' })
    // Others may have opened theirs since the check.
    const isFull = this.#isFull(environmentId, stream.address)
    this.#index.add(stream)
    this.#hints.watch(environmentId)
    sink.onClose(() => this.#remove(stream))
    sink.write('retry: 2000\n\n')
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
  async groupKeyOf({
    side: { environmentId },
    visitor: { userId, groupId },
  }: VisitorCaller): Promise<string | undefined> {
    const subject = { userId, groupId: groupId ?? undefined }
    return (await this.#groupKeys(environmentId, [subject]))[0]
  }

  /** Tokens, origins or the setting of identity have changed: ends the streams that would not be opened any more. */
  async endRefused(): Promise<void> {
    for (const stream of this.#index.all)
      if (!(await stream.isAllowed())) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
  }

  /** Ends all of them. Each page opens its stream again at a time of its own within ten seconds, on another node. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const stream of this.#index.all) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
  }

  #tell(environmentId: EnvironmentId, { keys, sessions }: Changes): void {
    for (const [id, key] of sessions) for (const stream of this.#index.ofKey(key)) send(stream, { type: 'session', id })
    if (keys === 'everyone') this.#tellEveryone(environmentId)
    else this.#tellSome(environmentId, keys)
  }

  #tellSome(environmentId: EnvironmentId, keys: ReadonlySet<string>): void {
    const told = new Set<Stream>()
    for (const key of keys) for (const stream of this.#index.ofKey(key)) told.add(stream)
    for (const stream of told) send(stream, { type: 'hint', within_ms: 0 })
    const users = [...told].filter(({ userKey }) => keys.has(userKey))
    void this.#follow(environmentId, users)
  }

  #tellEveryone(environmentId: EnvironmentId): void {
    const streams = this.#index.ofEnvironment(environmentId)
    for (const stream of streams) send(stream, { type: 'hint', within_ms: SPREAD_MS })
    void this.#follow(environmentId, streams)
  }

  /** What is shown goes away at once. Only the questions are spread. */
  #takeDown(environmentId: EnvironmentId): void {
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
    const keys = await this.#groupKeys(environmentId, subjects)
    for (const [index, stream] of streams.entries()) {
      if (keys[index] === stream.groupKey || !this.#index.has(stream)) continue
      this.#index.move(stream, keys[index])
      // The group may have changed before it was heard of.
      send(stream, { type: 'hint', within_ms: 0 })
    }
  }

  async #groupKeys(environmentId: EnvironmentId, subjects: readonly Subject[]): Promise<(string | undefined)[]> {
    if (!this.#hints.interestOf(environmentId).hasGroups) return subjects.map(() => undefined)
    const ids = await findCurrentGroups(this.#database, environmentId, subjects)
    return ids.map((id) => (id === undefined ? undefined : hintKey(environmentId, 'group', id)))
  }

  async #beat(): Promise<void> {
    for (const stream of this.#index.all) {
      if (Date.now() - stream.openedAt > LONGEST_MS) this.#end(stream, { type: 'close', within_ms: SPREAD_MS })
      else stream.sink.write(': still here\n\n')
    }
    await this.endRefused()
  }

  #end(stream: Stream, message: StreamMessage): void {
    if (!this.#index.has(stream)) return
    send(stream, message)
    this.#remove(stream)
    stream.sink.end()
  }

  #remove(stream: Stream): void {
    if (this.#index.remove(stream)) this.#hints.unwatch(stream.environmentId)
  }
}

function send({ sink }: Stream, message: StreamMessage): void {
  if (sink.unread > MOST_UNREAD) sink.destroy()
  else sink.write(`data: ${JSON.stringify(message)}\n\n`)
}
