import { DatabaseClock } from '../../database/clock.ts'
import type { Database, EnvironmentId } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import { SharedSecrets } from '../../secrets/shared-secrets.ts'
import type { SwitchSetting } from '../../settings/config.ts'
import type { Sender } from '../egress/send.ts'
import { deleteExpiredListeners } from '../listener-queries.ts'
import { BodyMemory } from './body-memory.ts'
import { Claimer } from './claimer.ts'
import { ClockWatch } from './clock-watch.ts'
import { Dispatcher } from './dispatcher.ts'
import { findEnvironmentsWithDeliveries } from './due-queries.ts'
import { Endpoints } from './endpoints.ts'
import { EnvironmentRounds } from './environment-rounds.ts'
import { NodeMessages } from './node-messages.ts'
import { OutcomeWriter } from './outcome-writer.ts'
import { PauseWatch } from './pause-watch.ts'
import { RoundPace } from './round-pace.ts'
import { RoundTimer } from './round-timer.ts'

export interface DeliveryLoopOptions {
  /** Best with the settings of `indexWalks`. */
  database: Database
  sender: Pick<Sender, 'send'>
  log: Log
  secrets?: SharedSecrets
  /** For a second name of the signature header, and for a version header. */
  headerPrefix?: string | undefined
  /** By which it is decided what is due. */
  databaseClock?: DatabaseClock
  /** Whether it may send; `auto` unless given. */
  setting?: SwitchSetting
  /** In place of the clock, for tests: milliseconds since 1970. */
  clock?: () => number
  /** Longer than the time that one send may take in all. */
  leaseMs?: number
  pollMs?: number
  /** How long a stop waits for sends under way before it releases them. */
  graceMs?: number
  /** The most bytes of claimed bodies. */
  mostBodyBytes?: number
  /** From 0 to 1, for the jitter. */
  random?: () => number
  /** Whether requests have waited since this was last asked. */
  requestsWaited?: () => boolean
}

const UNREACHABLE_MS = 1_000

/**
 * Sends what the outbox holds. It runs in every server process; the processes share the work through the database
 * alone.
 *
 * A round checks an environment if it is due, claims deliveries for its endpoints that have room, and gives them to the
 * dispatcher. The states of a delivery are in states.ts.
 */
export class DeliveryLoop {
  readonly #database: Database
  readonly #log: Log
  readonly #now: () => number
  readonly #databaseClock: DatabaseClock
  readonly #clockWatch: ClockWatch
  readonly #pauseWatch: PauseWatch
  readonly #graceMs: number
  readonly #endpoints = new Endpoints()
  readonly #memory: BodyMemory
  readonly #timer: RoundTimer
  readonly #pace: RoundPace
  readonly #outcomes: OutcomeWriter
  readonly #claimer: Claimer
  readonly #dispatcher: Dispatcher
  readonly #messages: NodeMessages
  readonly #rounds: EnvironmentRounds
  /** What the next round of an environment does before it claims. */
  readonly #toCheck = new Set<EnvironmentId>()
  readonly #toBringBack = new Set<EnvironmentId>()
  #mostPerClaim = 0
  #polling: Promise<void> | undefined
  /** Until when nothing is asked of environments that have failed. */
  readonly #restsUntilMs = new Map<EnvironmentId, number>()

  constructor({ database, sender, log, headerPrefix, ...options }: DeliveryLoopOptions) {
    const { databaseClock = new DatabaseClock(), secrets = new SharedSecrets() } = options
    const { clock: now = databaseClock.now, random = Math.random, leaseMs = 20_000, pollMs = 5_000 } = options
    this.#database = database
    this.#log = log
    this.#now = now
    this.#databaseClock = databaseClock
    this.#clockWatch = new ClockWatch(databaseClock, database, log)
    this.#pauseWatch = new PauseWatch(options.setting ?? 'auto', database, log)
    this.#graceMs = options.graceMs ?? 10_000
    const rounds = new EnvironmentRounds({ run: (id) => this.#runRound(id), onEnd: (id) => this.#onRoundEnd(id) })
    const timer = new RoundTimer({ now, pollMs, isBusy: (id) => rounds.has(id) })
    const outcomes = new OutcomeWriter(database, log, timer)
    this.#rounds = rounds
    this.#timer = timer
    this.#outcomes = outcomes
    this.#pace = new RoundPace(options.requestsWaited ?? (() => false))
    const doubtedMs = () => databaseClock.doubtedMs
    const memory = new BodyMemory(options.mostBodyBytes)
    const shared = { timer, outcomes, memory, now }
    this.#memory = memory
    this.#claimer = new Claimer({ ...shared, database, log, endpoints: this.#endpoints, secrets, leaseMs, doubtedMs })
    this.#dispatcher = new Dispatcher({ ...shared, sender, headerPrefix, random })
    this.#messages = new NodeMessages(database, log, {
      onDue: (environmentId) => timer.checkAt(environmentId, now()),
      onChanged: (environmentId, subscriptionId) => this.#onChanged(environmentId, subscriptionId),
    })
  }

  start(): void {
    void this.#messages.open()
    this.#timer.start(() => this.#startRounds())
  }

  /** Deliveries of this environment have been committed by this process. */
  wake(environmentId: EnvironmentId): void {
    this.#timer.checkAt(environmentId, this.#now())
    this.#messages.due(environmentId)
  }

  /** A subscription has been changed or deleted by this process. */
  changed(environmentId: EnvironmentId, subscriptionId: string): void {
    this.#onChanged(environmentId, subscriptionId)
    this.#messages.changed(environmentId, subscriptionId)
  }

  /** The counts of this process since its start, and the deliveries in flight. */
  stats() {
    const queued = this.#endpoints.all().reduce((sum, { queue }) => sum + queue.length, 0)
    const { counts, inFlight } = this.#dispatcher
    const { fencedOff, endpoints } = this.#outcomes
    const { broughtBack } = this.#claimer
    const clockAheadMs = this.#databaseClock.reading?.aheadMs
    return { ...counts, inFlight, queued, fencedOff, broughtBack, clockAheadMs, endpoints: { ...endpoints } }
  }

  /** Stops claiming, finishes the sends under way, and releases those that do not finish in time. */
  async stop(): Promise<void> {
    const stopped = this.#dispatcher.stop(this.#endpoints.all(), this.#graceMs)
    this.#timer.stop()
    await Promise.all([this.#polling, this.#rounds.stop()])
    await stopped
    await Promise.all([this.#outcomes.close(), this.#messages.close()])
  }

  #onChanged(environmentId: EnvironmentId, subscriptionId: string): void {
    const endpoint = this.#endpoints.find(environmentId, subscriptionId)
    if (endpoint) this.#dispatcher.onChanged(endpoint)
    this.#timer.checkAt(environmentId, this.#now())
  }

  /** Of all environments that are due, or have endpoints with due deliveries. */
  #startRounds(): void {
    if (this.#timer.takePoll()) this.#polling ??= this.#poll()
    const due = this.#timer.takeDue()
    // The poll after the pause finds them again.
    if (this.#pauseWatch.isPaused) return
    const { gapMs, mostPerClaim } = this.#pace.next()
    this.#timer.waitAtLeast(gapMs)
    this.#mostPerClaim = mostPerClaim
    const rested = (environments: EnvironmentId[]) => environments.filter((id) => !this.#rests(id))
    for (const environmentId of rested(due)) {
      this.#toCheck.add(environmentId)
      this.#rounds.add(environmentId)
    }
    for (const environmentId of rested(this.#endpoints.environmentsWithDue(this.#now())))
      this.#rounds.add(environmentId)
  }

  async #runRound(environmentId: EnvironmentId): Promise<void> {
    try {
      if (this.#toBringBack.delete(environmentId)) await this.#claimer.bringBack(environmentId)
      if (this.#toCheck.delete(environmentId)) await this.#claimer.check(environmentId)
      const filled = await this.#claimer.claim(environmentId, this.#mostPerClaim)
      for (const endpoint of filled) this.#dispatcher.sendQueued(endpoint)
    } catch (error) {
      this.#log.warn({ err: error, environmentId }, 'claiming webhook deliveries failed')
      this.#restsUntilMs.set(environmentId, this.#now() + UNREACHABLE_MS)
      this.#timer.checkAt(environmentId, this.#now() + UNREACHABLE_MS)
    }
  }

  #onRoundEnd(environmentId: EnvironmentId): void {
    this.#timer.resume(environmentId)
    if (this.#memory.isShort(environmentId) || this.#rests(environmentId)) return
    if (this.#endpoints.hasRoom(environmentId, this.#now())) this.#timer.claimSoon(environmentId)
  }

  /** Finds deliveries for which a wake-up or a message was lost. */
  async #poll(): Promise<void> {
    this.#endpoints.forgetIdle(this.#now())
    try {
      await this.#pauseWatch.check()
      const isSearch = await this.#clockWatch.check()
      const environments = await findEnvironmentsWithDeliveries(this.#database)
      for (const environmentId of environments) {
        if (isSearch) this.#toBringBack.add(environmentId)
        this.#timer.checkAt(environmentId, this.#now())
      }
      await deleteExpiredListeners(this.#database, this.#now())
    } catch (error) {
      this.#log.warn({ err: error }, 'looking for webhook deliveries failed')
    }
    this.#polling = undefined
  }

  /** Only this environment: the others may be on workers of a cluster that do answer. It is checked when it has rested. */
  #rests(environmentId: EnvironmentId): boolean {
    const restsForMs = (this.#restsUntilMs.get(environmentId) ?? 0) - this.#now()
    // A rest that ends later than any can was begun by a clock that was set back since.
    const rests = restsForMs > 0 && restsForMs <= UNREACHABLE_MS
    if (rests) this.#timer.checkAt(environmentId, this.#now() + restsForMs)
    else this.#restsUntilMs.delete(environmentId)
    return rests
  }
}
