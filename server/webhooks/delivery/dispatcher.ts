import type { EnvironmentId } from '../../database/database.ts'
import { newId } from '../../ids.ts'
import type { Attempt, Sender } from '../egress/send.ts'
import { ASKED_TO_WAIT, RETRY } from './bands.ts'
import { bandOf } from './claimer.ts'
import type { Lane } from './lane.ts'
import { messageHeaders } from './message.ts'
import type { Claimed } from './queries.ts'
import { nextAttempt } from './schedule.ts'
import type { Settlement } from './settle-queries.ts'

/** What was claimed longer ago is given back and claimed again, and its subscription read with it. */
const FRESH_MS = 250
const GIVEN_UP_ON_MS = 5_000
/** Starting a send takes about 0.1 ms. Requests that come in meanwhile wait for so many of them, not for a whole claim. */
const SENDS_PER_TURN = 1

export interface DispatcherOptions {
  sender: Pick<Sender, 'send'>
  headerPrefix: string | undefined
  now: () => number
  random: () => number
  settle: (environmentId: EnvironmentId, settlement: Settlement) => void
  /** Called after each send, when its lane may have room for more. */
  onSent: (lane: Lane, environmentId: EnvironmentId) => void
}

/** Sends what is in the queues of the lanes, as many at a time as each bears, and hands over what came of it. */
export class Dispatcher {
  readonly counts = { sent: 0, failed: 0, givenUp: 0 }
  readonly #options: DispatcherOptions
  readonly #inFlight = new Set<Claimed>()
  readonly #ready = new Set<Lane>()
  #turn: NodeJS.Immediate | undefined
  #stopped = false
  #onIdle: (() => void) | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  /** Sends as much of the lane's queue as it bears, in turns with the other lanes and with whatever else the process does. */
  pump(lane: Lane): void {
    if (this.#stopped) {
      this.giveBackQueue(lane)
      return
    }
    this.#ready.add(lane)
    this.#turn ??= setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#turn = undefined
    let started = 0
    for (const lane of this.#ready) {
      if (started === SENDS_PER_TURN) break
      // To the end of the line: a lane with a long queue does not hold up the others.
      this.#ready.delete(lane)
      if (!this.#startNext(lane)) continue
      started += 1
      this.#ready.add(lane)
    }
    if (this.#ready.size > 0) this.#turn = setImmediate(() => this.#takeTurn())
  }

  #startNext(lane: Lane): boolean {
    if (lane.inFlight >= lane.limit) return false
    const claimed = lane.queue.shift()
    if (!claimed) return false
    const isFresh = this.#options.now() - claimed.claimedAtMs <= FRESH_MS
    if (isFresh && !this.#stopped) void this.#send(lane, claimed)
    else this.#giveBack(claimed, this.#options.now())
    return true
  }

  giveBackQueue(lane: Lane): void {
    for (const claimed of lane.queue.splice(0)) this.#giveBack(claimed, this.#options.now())
  }

  /** Starts nothing more; waits for the sends under way, and gives back those that take longer. */
  async stop(lanes: Iterable<Lane>, graceMs: number): Promise<void> {
    this.#stopped = true
    for (const lane of lanes) this.giveBackQueue(lane)
    if (this.#inFlight.size > 0) await this.#idle(graceMs)
    for (const claimed of this.#inFlight) this.#giveBack(claimed, this.#options.now() + GIVEN_UP_ON_MS)
    this.#inFlight.clear()
  }

  async #send(lane: Lane, claimed: Claimed): Promise<void> {
    const { sender, headerPrefix, now, onSent } = this.#options
    const startedMs = now()
    lane.inFlight += 1
    this.#inFlight.add(claimed)
    const outcome = await sender.send(claimed.url, messageHeaders(claimed, startedMs, headerPrefix), claimed.body)
    lane.inFlight -= 1
    // After a stop that did not wait for it, the delivery has been given back already.
    if (!this.#inFlight.delete(claimed)) return
    this.#judge(lane, outcome)
    this.#settle(claimed, startedMs, outcome)
    this.pump(lane)
    if (this.#inFlight.size === 0) this.#onIdle?.()
    onSent(lane, claimed.environmentId)
  }

  #judge(lane: Lane, outcome: Attempt): void {
    this.counts[outcome.ok ? 'sent' : 'failed'] += 1
    if (outcome.ok) lane.succeeded(outcome.timing.totalMs, this.#options.now())
    else lane.failed(this.#options.now())
    if (lane.isFailing) this.giveBackQueue(lane)
  }

  #settle(claimed: Claimed, startedMs: number, outcome: Attempt): void {
    const { notificationId, subscriptionId, leaseId } = claimed
    const attempts = claimed.attempts + 1
    const nextMs = outcome.ok ? undefined : this.#nextAttempt(claimed, attempts, outcome)
    if (!outcome.ok && nextMs === undefined) this.counts.givenUp += 1
    const band = outcome.retryAfterSeconds ? ASKED_TO_WAIT : RETRY
    this.#options.settle(claimed.environmentId, {
      notificationId,
      subscriptionId,
      leaseId,
      attempts,
      next: nextMs === undefined ? undefined : { at: new Date(nextMs).toISOString(), band },
      attempt: { id: newId(), at: new Date(startedMs).toISOString(), outcome },
    })
  }

  #nextAttempt({ expiresAtMs }: Claimed, attempt: number, { retryAfterSeconds }: Attempt): number | undefined {
    const { now, random } = this.#options
    return nextAttempt({ attempt, nowMs: now(), expiresAtMs, retryAfterSeconds, random: random() })
  }

  #giveBack({ environmentId, notificationId, subscriptionId, leaseId, attempts }: Claimed, dueMs: number): void {
    const next = { at: new Date(dueMs).toISOString(), band: bandOf(attempts) }
    const ids = { notificationId, subscriptionId, leaseId }
    this.#options.settle(environmentId, { ...ids, attempts, next, attempt: undefined })
  }

  async #idle(mostMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onIdle = resolve
    const timer = setTimeout(resolve, mostMs)
    await promise
    clearTimeout(timer)
  }
}
