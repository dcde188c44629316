import { newId } from '../../ids.ts'
import type { Attempt, Sender } from '../egress/send.ts'
import type { BodyMemory } from './body-memory.ts'
import type { ClaimedDelivery } from './claim-queries.ts'
import { releaseEnd } from './due-times.ts'
import type { EndpointState } from './endpoint.ts'
import { messageHeaders } from './message.ts'
import type { LoggedAttempt } from './outcome-queries.ts'
import type { OutcomeWriter } from './outcome-writer.ts'
import type { RoundTimer } from './round-timer.ts'
import { nextAttempt } from './schedule.ts'
import type { LeaseEnd } from './states.ts'

/**
 * A delivery that has been in its queue for longer is released and claimed again, and its subscription is read with it. The
 * time of the claim itself does not count: with a PostgreSQL that takes longer for it nothing would ever be sent.
 */
const QUEUED_MS = 250
/** After this the lease could end before the send: it is 20 s, and a send takes up to 15 s. */
const CLAIM_VALID_MS = 4_000
/** After a stop, a delivery whose send was not waited for becomes due this much later. */
const UNFINISHED_MS = 5_000
/** Starting a send takes about 0.1 ms. Requests that arrive meanwhile wait for so many sends, not for a whole claim. */
const SENDS_PER_TURN = 1

export interface DispatcherOptions {
  sender: Pick<Sender, 'send'>
  headerPrefix: string | undefined
  outcomes: OutcomeWriter
  memory: BodyMemory
  timer: RoundTimer
  now: () => number
  random: () => number
}

/** Sends the deliveries in the queues of the endpoints, up to the limit of each. */
export class Dispatcher {
  readonly counts = { sent: 0, failed: 0, givenUp: 0 }
  readonly #options: DispatcherOptions
  readonly #inFlight = new Set<ClaimedDelivery>()
  readonly #ready = new Set<EndpointState>()
  #turn: NodeJS.Immediate | undefined
  #stopped = false
  #onIdle: (() => void) | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  get inFlight(): number {
    return this.#inFlight.size
  }

  /** Sends from the queue up to the limit of the endpoint, in turn with other endpoints and other work of the process. */
  sendQueued(endpoint: EndpointState): void {
    if (this.#stopped) {
      this.releaseQueue(endpoint)
      return
    }
    this.#ready.add(endpoint)
    this.#turn ??= setImmediate(() => this.#takeTurn())
  }

  #takeTurn(): void {
    this.#turn = undefined
    let started = 0
    for (const endpoint of this.#ready) {
      if (started === SENDS_PER_TURN) break
      // To the end of the queue, so that an endpoint with many deliveries does not delay the others.
      this.#ready.delete(endpoint)
      if (!this.#startNext(endpoint)) continue
      started += 1
      this.#ready.add(endpoint)
    }
    if (this.#ready.size > 0) this.#turn = setImmediate(() => this.#takeTurn())
  }

  #startNext(endpoint: EndpointState): boolean {
    const claimed = endpoint.queue[0]
    if (!claimed || (endpoint.inFlight >= endpoint.limit && !claimed.isAtOnce)) return false
    endpoint.queue.shift()
    if (this.#isValid(endpoint, claimed) && !this.#stopped) void this.#send(endpoint, claimed)
    else this.#release(claimed, this.#options.now())
    return true
  }

  #isValid({ changes }: EndpointState, claimed: ClaimedDelivery): boolean {
    const nowMs = this.#options.now()
    return (
      changes === claimed.changes &&
      nowMs - claimed.queuedAtMs <= QUEUED_MS &&
      nowMs - claimed.claimedAtMs <= CLAIM_VALID_MS
    )
  }

  /** What is in the queue was claimed, and what is being claimed may be, with the subscription as it was before. */
  onChanged(endpoint: EndpointState): void {
    endpoint.changes += 1
    this.releaseQueue(endpoint)
  }

  releaseQueue(endpoint: EndpointState): void {
    for (const claimed of endpoint.queue.splice(0)) this.#release(claimed, this.#options.now())
  }

  /** Starts nothing more; waits for the sends under way, and releases those that take longer. */
  async stop(endpoints: Iterable<EndpointState>, graceMs: number): Promise<void> {
    this.#stopped = true
    for (const endpoint of endpoints) this.releaseQueue(endpoint)
    if (this.#inFlight.size > 0) await this.#idle(graceMs)
    for (const claimed of this.#inFlight) this.#release(claimed, this.#options.now() + UNFINISHED_MS)
    this.#inFlight.clear()
  }

  async #send(endpoint: EndpointState, claimed: ClaimedDelivery): Promise<void> {
    const { sender, headerPrefix, now } = this.#options
    const startedMs = now()
    endpoint.inFlight += 1
    if (claimed.isAtOnce) endpoint.inFlightAtOnce += 1
    this.#inFlight.add(claimed)
    const result = await sender.send(claimed.url, messageHeaders(claimed, startedMs, headerPrefix), claimed.body)
    endpoint.inFlight -= 1
    if (claimed.isAtOnce) endpoint.inFlightAtOnce -= 1
    // After a stop that did not wait for it, the delivery has been released already.
    if (!this.#inFlight.delete(claimed)) return
    this.#noteResult(endpoint, result)
    const at = new Date(startedMs).toISOString()
    this.#endLease(claimed, this.#leaseEnd(claimed, result), { id: newId(), at, result })
    if (this.#inFlight.size === 0) this.#onIdle?.()
    this.#sendMore(endpoint, claimed)
  }

  #noteResult(endpoint: EndpointState, result: Attempt): void {
    this.counts[result.ok ? 'sent' : 'failed'] += 1
    if (result.ok) endpoint.onSuccess(result.timing.totalMs, this.#options.now())
    else endpoint.onFailure(this.#options.now())
    if (endpoint.isProbed) this.releaseQueue(endpoint)
  }

  #leaseEnd({ attempts, expiresAtMs }: ClaimedDelivery, result: Attempt): LeaseEnd {
    if (result.ok) return { transition: 'deliver' }
    const { now, random } = this.#options
    const { retryAfterSeconds } = result
    const dueMs = nextAttempt({
      attempt: attempts + 1,
      nowMs: now(),
      expiresAtMs,
      retryAfterSeconds,
      random: random(),
    })
    if (dueMs === undefined) {
      this.counts.givenUp += 1
      return { transition: 'giveUp' }
    }
    return { transition: retryAfterSeconds ? 'hold' : 'retry', dueAt: new Date(dueMs).toISOString() }
  }

  #sendMore(endpoint: EndpointState, { environmentId }: ClaimedDelivery): void {
    const { timer, memory, now } = this.#options
    this.sendQueued(endpoint)
    timer.checkAt(environmentId, endpoint.nextChangeMs(now()))
    if (endpoint.canClaim(now())) timer.claimSoon(environmentId)
    for (const short of memory.takeShort()) timer.claimSoon(short)
  }

  #release(claimed: ClaimedDelivery, dueMs: number): void {
    this.#endLease(claimed, releaseEnd(claimed, dueMs), undefined)
  }

  #endLease(claimed: ClaimedDelivery, end: LeaseEnd, attempt: LoggedAttempt | undefined): void {
    const { environmentId, notificationId, subscriptionId, leaseId, body } = claimed
    this.#options.memory.release(environmentId, body)
    const attempts = claimed.attempts + (attempt ? 1 : 0)
    this.#options.outcomes.add(environmentId, { notificationId, subscriptionId, leaseId, attempts, end, attempt })
  }

  async #idle(mostMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onIdle = resolve
    const timer = setTimeout(resolve, mostMs)
    await promise
    clearTimeout(timer)
  }
}
