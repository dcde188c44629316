import { Channel } from '../database/channel.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Log } from '../log.ts'
import type { Interest } from './interest.ts'
import { hintKey, hintSubject } from './keys.ts'
import { type Changes, PendingHints } from './pending.ts'
import { WatchedContent } from './watched-content.ts'

const CHANNEL = 'usher_hints'
const GATHER_MS = 20
const LATER_MS = 500
const ANNOUNCE_MS = 5_000
/** A node that has streams announces it within this time. */
const WATCHED_MS = 15_000
/** In one message. A node with more says that it has streams of any environment. */
const MOST_ENVIRONMENTS = 500
/** In one message: each takes 55 bytes, and each key 14 of the 8,000 of a payload. */
const MOST_SESSIONS = 100

type Message = { node: string } & (
  | { watched: number[] | 'any' }
  | { environment: number; keys: string[] | 'everyone'; sessions: [id: string, key: string][] }
)

/** `isHashed` when the subjects are those of another node, which tells their keys. */
type Listener = (environmentId: EnvironmentId, changes: Changes, isHashed: boolean) => void

/**
 * Tells the nodes that have streams of an environment what has changed there, after the commit. Nothing is done for
 * environments without streams. A message can get lost: a page asks again at its next view at the latest.
 */
export class Hints {
  readonly #channel: Channel
  /** The environments that this node wants to hear of: it has streams of them, or had some a moment ago. */
  readonly #local = new Set<EnvironmentId>()
  /** Until when another node has streams of an environment, or of any. */
  readonly #remote = new Map<EnvironmentId | 'any', number>()
  readonly #pending = new Map<EnvironmentId, PendingHints>()
  #gathering: NodeJS.Timeout | undefined
  #announcing: NodeJS.Timeout | undefined
  #later: NodeJS.Timeout | undefined
  readonly content: WatchedContent
  /** Gets what has changed, of this node and of others. */
  onChanges: Listener = () => {}
  /** All content of an environment was switched off. */
  onOff: (environmentId: EnvironmentId) => void = () => {}

  constructor(database: Database, log: Log) {
    this.#channel = new Channel(database, log, {
      name: CHANNEL,
      warning: 'cannot listen to other nodes: open pages hear of what this one writes',
      onMessage: (payload) => this.#receive(payload),
    })
    this.content = new WatchedContent(log, (environmentId) => this.isWatched(environmentId))
    this.content.onRevised = (environmentId) => {
      if (this.#local.has(environmentId))
        this.onChanges(environmentId, { subjects: 'everyone', sessions: new Map() }, false)
    }
    this.content.onOff = (environmentId) => {
      if (this.#local.has(environmentId)) this.onOff(environmentId)
    }
  }

  async start(): Promise<void> {
    this.#announcing = setInterval(() => this.#announce(), ANNOUNCE_MS).unref()
    await this.#channel.open()
  }

  async stop(): Promise<void> {
    clearInterval(this.#announcing)
    clearTimeout(this.#gathering)
    clearTimeout(this.#later)
    this.content.stop()
    await this.#channel.close()
  }

  /** It is announced at once. */
  watch(environmentId: EnvironmentId): void {
    this.#local.add(environmentId)
    this.content.watch(environmentId)
    this.#channel.send(JSON.stringify(this.#message({ watched: [environmentId] })))
  }

  unwatch(environmentId: EnvironmentId): void {
    this.#local.delete(environmentId)
  }

  /** Asked for every write, and nearly always false. */
  isWatched(environmentId: EnvironmentId): boolean {
    if (this.#local.size + this.#remote.size === 0) return false
    return this.#local.has(environmentId) || this.#isWatchedElsewhere(environmentId)
  }

  userChanged(environmentId: EnvironmentId, id: string): void {
    this.#pendingOf(environmentId).add(hintSubject('user', id))
  }

  groupChanged(environmentId: EnvironmentId, id: string): void {
    this.#pendingOf(environmentId).add(hintSubject('group', id))
  }

  interestOf(environmentId: EnvironmentId): Interest {
    return this.content.interestOf(environmentId)
  }

  /** A session was changed by another browser, or by the back end. */
  sessionChanged(environmentId: EnvironmentId, userId: string, sessionId: string): void {
    this.#pendingOf(environmentId).addSession(sessionId, hintSubject('user', userId))
  }

  #pendingOf(environmentId: EnvironmentId): PendingHints {
    let pending = this.#pending.get(environmentId)
    if (!pending) {
      pending = new PendingHints()
      this.#pending.set(environmentId, pending)
    }
    this.#gathering ??= setTimeout(() => this.#send(), GATHER_MS)
    return pending
  }

  #send(): void {
    this.#gathering = undefined
    const now = performance.now()
    for (const [environmentId, pending] of this.#pending) {
      const changes = pending.take(now)
      if (changes) this.#tell(environmentId, changes)
      if (pending.isIdle(now)) this.#pending.delete(environmentId)
    }
    // For what has to wait until everyone may be told again.
    clearTimeout(this.#later)
    if (this.#pending.size > 0) this.#later = setTimeout(() => this.#send(), LATER_MS).unref()
  }

  #tell(environmentId: EnvironmentId, changes: Changes): void {
    if (this.#local.has(environmentId)) this.onChanges(environmentId, changes, false)
    if (!this.#isWatchedElsewhere(environmentId)) return
    const keyOf = (subject: string) => hintKey(environmentId, subject)
    const keys = changes.subjects === 'everyone' ? changes.subjects : [...new Set(changes.subjects)].map(keyOf)
    const sessions = [...changes.sessions].map(([id, subject]) => [id, keyOf(subject)] as const)
    const parts = Array.from({ length: Math.ceil(sessions.length / MOST_SESSIONS) }, (_, index) =>
      sessions.slice(index * MOST_SESSIONS, (index + 1) * MOST_SESSIONS),
    )
    // Many keys leave no room for sessions: what is too long for PostgreSQL would not be sent at all.
    const [first = []] = keys.length > MOST_SESSIONS ? [] : parts.splice(0, 1)
    for (const [index, part] of [first, ...parts].entries()) {
      const message = { environment: environmentId, keys: index === 0 ? keys : [], sessions: part }
      this.#channel.send(JSON.stringify(this.#message(message)))
    }
  }

  #announce(): void {
    const now = performance.now()
    for (const [environmentId, until] of this.#remote) if (until < now) this.#remote.delete(environmentId)
    if (this.#local.size === 0) return
    const watched = this.#local.size > MOST_ENVIRONMENTS ? 'any' : [...this.#local]
    this.#channel.send(JSON.stringify(this.#message({ watched })))
  }

  #isWatchedElsewhere(environmentId: EnvironmentId): boolean {
    return this.#remote.has(environmentId) || this.#remote.has('any')
  }

  #message<Part extends object>(part: Part): Part & { node: string } {
    return { node: this.#channel.node, ...part }
  }

  #receive(payload: string): void {
    const message = JSON.parse(payload) as Message
    if (message.node === this.#channel.node) return
    if ('watched' in message) {
      const environments = message.watched === 'any' ? ['any' as const] : (message.watched as EnvironmentId[])
      for (const environmentId of environments) this.#remote.set(environmentId, performance.now() + WATCHED_MS)
      return
    }
    const environmentId = message.environment as EnvironmentId
    if (!this.#local.has(environmentId)) return
    this.onChanges(environmentId, { subjects: message.keys, sessions: new Map(message.sessions) }, true)
  }
}
