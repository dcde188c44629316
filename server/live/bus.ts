import { randomUUID } from 'node:crypto'
import type { LiveRequest } from '../../contract/dashboard/live.ts'
import { Channel } from '../database/channel.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import type { Log } from '../log.ts'
import type { LiveFeed } from './feed.ts'
import type { LiveRecord } from './record.ts'

const CHANNEL = 'usher_live'
/** A payload of NOTIFY holds 8,000 bytes. */
const MOST_BYTES = 7_800
const PUBLISH_MS = 250
/** A watcher renews its watch within this time. */
export const WATCHED_MS = 15_000
const MOST_PENDING = 200
const HISTORY = 100
const FIND_MS = 1_500
/** How many bytes of a body are sent to another node. */
const MOST_REMOTE_BODY = 2_200
/** What a message has besides its requests. */
const MESSAGE_BYTES = 200

/** The requests of an environment that a node sends. Earlier requests go only to the watcher that asked for them. */
export interface Requests {
  requests: LiveRequest[]
  leftOut: number
}

type BusMessage =
  | { node: string; kind: 'watch'; environment: number; watcher: string | null }
  | ({ node: string; kind: 'requests'; environment: number; watcher: string | null } & Requests)
  | { node: string; kind: 'find'; question: string; environments: number[]; id: string }
  | { node: string; kind: 'found'; question: string; record: LiveRecord }

/**
 * Sends requests between nodes while there are watchers. Nothing is stored. Without other nodes, or without LISTEN, each
 * node shows its own requests.
 */
export class LiveBus {
  readonly #feed: LiveFeed
  readonly #channel: Channel
  /** Environments that another node watches, and until when. */
  readonly #watched = new Map<number, number>()
  readonly #pending = new Map<number, { requests: LiveRequest[]; leftOut: number }>()
  readonly #questions = new Map<string, (record: LiveRecord) => void>()
  #timer: NodeJS.Timeout | undefined
  /** Requests of other nodes. */
  onRequests: (environmentId: EnvironmentId, requests: Requests, watcher: string | null) => void = () => {}

  constructor(database: Database, log: Log, feed: LiveFeed) {
    this.#feed = feed
    this.#channel = new Channel(database, log, {
      name: CHANNEL,
      warning: 'cannot listen to other nodes: Live shows the requests of this one',
      onMessage: (payload) => this.#receive(payload),
    })
  }

  async open(): Promise<void> {
    this.#timer ??= setInterval(() => this.#publish(), PUBLISH_MS).unref()
    await this.#channel.open()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#channel.close()
  }

  /** Asks the other nodes for the requests of an environment, for a new watcher also for earlier ones. */
  watch(environmentId: EnvironmentId, watcher: string | null): void {
    this.#send({ node: this.#channel.node, kind: 'watch', environment: environmentId, watcher })
  }

  /** Called for every request that this node keeps. Does nothing while no other node watches. */
  add(environmentId: EnvironmentId, request: LiveRequest): void {
    if (this.#watched.size === 0 || !this.#watched.has(environmentId)) return
    const pending = this.#pendingOf(environmentId)
    if (pending.requests.length < MOST_PENDING) pending.requests.push(request)
    else pending.leftOut += 1
  }

  leaveOut(environmentId: EnvironmentId, count: number): void {
    if (this.#watched.size === 0 || !this.#watched.has(environmentId)) return
    this.#pendingOf(environmentId).leftOut += count
  }

  /** Asks the other nodes for one request. */
  async find(environmentIds: readonly EnvironmentId[], id: string): Promise<LiveRecord | undefined> {
    const question = randomUUID()
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), FIND_MS)
      this.#questions.set(question, (record) => {
        clearTimeout(timer)
        resolve(record)
      })
      this.#send({ node: this.#channel.node, kind: 'find', question, environments: [...environmentIds], id })
    }).then((record) => {
      this.#questions.delete(question)
      return record as LiveRecord | undefined
    })
  }

  #pendingOf(environmentId: number): { requests: LiveRequest[]; leftOut: number } {
    const pending = this.#pending.get(environmentId) ?? { requests: [], leftOut: 0 }
    this.#pending.set(environmentId, pending)
    return pending
  }

  #publish(): void {
    const now = performance.now()
    for (const [environment, until] of this.#watched) if (until < now) this.#watched.delete(environment)
    for (const [environment, { requests, leftOut }] of this.#pending)
      this.#sendRequests(environment, { requests, leftOut }, null)
    this.#pending.clear()
  }

  /** Splits them into several messages when needed. */
  #sendRequests(environment: number, { requests, leftOut }: Requests, watcher: string | null): void {
    const common = { node: this.#channel.node, kind: 'requests', environment, watcher } as const
    let portion: LiveRequest[] = []
    let bytes = MESSAGE_BYTES
    for (const request of requests) {
      const size = jsonBytes(request) + 1
      if (bytes + size > MOST_BYTES && portion.length > 0) {
        this.#send({ ...common, requests: portion, leftOut: 0 })
        portion = []
        bytes = MESSAGE_BYTES
      }
      portion.push(request)
      bytes += size
    }
    this.#send({ ...common, requests: portion, leftOut })
  }

  #receive(payload: string): void {
    const message = JSON.parse(payload) as BusMessage
    if (message.node === this.#channel.node) return
    if (message.kind === 'watch') this.#onWatch(message.environment, message.watcher)
    else if (message.kind === 'requests')
      this.onRequests(message.environment as EnvironmentId, message, message.watcher)
    else if (message.kind === 'find') this.#answer(message.question, message.environments, message.id)
    else this.#questions.get(message.question)?.(message.record)
  }

  #onWatch(environment: number, watcher: string | null): void {
    this.#watched.set(environment, performance.now() + WATCHED_MS)
    if (watcher === null) return
    const requests = this.#feed.latest(environment as EnvironmentId, HISTORY)
    if (requests.length > 0) this.#sendRequests(environment, { requests, leftOut: 0 }, watcher)
  }

  #answer(question: string, environments: readonly number[], id: string): void {
    for (const environment of environments) {
      const found = this.#feed.find(environment as EnvironmentId, id)
      if (!found) continue
      const { requestText, answerText, ...others } = found
      const left = (MOST_BYTES - MESSAGE_BYTES - jsonBytes(others)) / 2
      const cut = (text: string) => firstBytes(text, Math.min(left, MOST_REMOTE_BODY))
      const record = { ...others, requestText: cut(requestText), answerText: cut(answerText) }
      this.#send({ node: this.#channel.node, kind: 'found', question, record })
      return
    }
  }

  #send(message: BusMessage): void {
    const payload = JSON.stringify(message)
    if (Buffer.byteLength(payload) <= MOST_BYTES + 150) this.#channel.send(payload)
  }
}

/** The start of a text that takes at most so many bytes as JSON, where escapes take more. */
function firstBytes(text: string, most: number): string {
  let length = Math.min(text.length, Math.max(0, Math.floor(most)))
  while (length > 0 && jsonBytes(text.slice(0, length)) > most) length = Math.floor(length / 2)
  return text.slice(0, length)
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
