import type { Database, EnvironmentId } from '../../database/database.ts'
import type { Log } from '../../log.ts'
import type { Sender } from '../egress/send.ts'
import { Agenda } from './agenda.ts'
import { Claimer } from './claimer.ts'
import { Dispatcher } from './dispatcher.ts'
import { Hints } from './hints.ts'
import { Lanes } from './lanes.ts'
import { findEnvironmentsWithDeliveries } from './queries.ts'
import type { Settlement } from './settle-queries.ts'
import { Settler } from './settler.ts'

export interface DeliveryOptions {
  /** Best with the settings of `indexWalks`. */
  database: Database
  sender: Pick<Sender, 'send'>
  log: Log
  /** For a second name of the signature header, and for a version header. */
  headerPrefix?: string | undefined
  /** Milliseconds since 1970. */
  clock?: () => number
  /** Longer than the time that one send may take in all. */
  leaseMs?: number
  pollMs?: number
  /** How long a stop waits for sends under way before it gives them back. */
  graceMs?: number
  /** From 0 to 1, for the jitter. */
  random?: () => number
  /** Whether requests have waited since this was last asked. */
  requestsWaited?: () => boolean
}

/** Rounds begin at least this far apart: under load, each then claims enough to be worth its statements. */
const ROUND_MS = 40
/** While requests wait for the processor, deliveries take only so much of it: what waits for an answer goes first. */
const PRESSED_ROUND_MS = 100
const MOST_PER_CLAIM = 500
const MOST_PER_PRESSED_CLAIM = 40
const PRESSED_UTILIZATION = 0.7
const OUTDATED_MS = 2 * PRESSED_ROUND_MS
const ENVIRONMENTS_AT_ONCE = 4
const AWAY_MS = 1_000

/** Sends what the outbox holds: in every server process, sharing the work with the others through the database alone. */
export class Delivery {
  readonly #database: Database
  readonly #log: Log
  readonly #now: () => number
  readonly #pollMs: number
  readonly #graceMs: number
  readonly #requestsWaited: () => boolean
  #utilization = performance.eventLoopUtilization()
  readonly #lanes = new Lanes()
  readonly #agenda = new Agenda()
  readonly #claimer: Claimer
  readonly #dispatcher: Dispatcher
  readonly #settler: Settler
  readonly #hints: Hints
  #timer: NodeJS.Timeout | undefined
  #timerAt = Number.POSITIVE_INFINITY
  #round: Promise<void> | undefined
  #nextRoundAt = Number.NEGATIVE_INFINITY
  #pollAt = Number.NEGATIVE_INFINITY
  #running = false

  constructor({ database, sender, log, ...options }: DeliveryOptions) {
    const now = options.clock ?? Date.now
    const random = options.random ?? Math.random
    const settle = (environmentId: EnvironmentId, settlement: Settlement) =>
      this.#settler.add(environmentId, settlement)
    this.#database = database
    this.#log = log
    this.#now = now
    this.#pollMs = options.pollMs ?? 5_000
    this.#graceMs = options.graceMs ?? 10_000
    this.#requestsWaited = options.requestsWaited ?? (() => false)
    this.#settler = new Settler(database, log, (environmentId, dueMs) => this.#lookAt(environmentId, dueMs))
    const leaseMs = options.leaseMs ?? 20_000
    this.#claimer = new Claimer({ database, lanes: this.#lanes, agenda: this.#agenda, leaseMs, now, settle })
    this.#dispatcher = new Dispatcher({
      sender,
      headerPrefix: options.headerPrefix,
      now,
      random,
      settle,
      onSent: (lane, environmentId) => {
        this.#agenda.note(environmentId, lane.nextChangeMs(now()))
        this.#plan(lane.hasWork(now()) && lane.hasRoom(now()))
      },
    })
    this.#hints = new Hints(database, log, {
      onDue: (environmentId) => this.#lookAt(environmentId, now()),
      onChanged: (environmentId, subscriptionId) => this.#claimAgain(environmentId, subscriptionId),
    })
  }

  start(): void {
    this.#running = true
    void this.#hints.open()
    this.#plan(true)
  }

  /** Deliveries of this environment have been committed by this process. */
  wake(environmentId: EnvironmentId): void {
    this.#lookAt(environmentId, this.#now())
    this.#hints.due(environmentId)
  }

  /** A subscription has been changed or deleted by this process. */
  changed(environmentId: EnvironmentId, subscriptionId: string): void {
    this.#claimAgain(environmentId, subscriptionId)
    this.#hints.changed(environmentId, subscriptionId)
  }

  /** What this process has done since it started, and what it has in hand. */
  stats() {
    const queued = this.#lanes.all().reduce((sum, lane) => sum + lane.queue.length, 0)
    const { counts, inFlight } = this.#dispatcher
    return { ...counts, inFlight, queued, fencedOff: this.#settler.fencedOff }
  }

  /** Claims nothing more, finishes the sends under way, and gives back what it cannot finish in time. */
  async stop(): Promise<void> {
    this.#running = false
    clearTimeout(this.#timer)
    const stopped = this.#dispatcher.stop(this.#lanes.all(), this.#graceMs)
    await this.#round
    await stopped
    await Promise.all([this.#settler.close(), this.#hints.close()])
  }

  #lookAt(environmentId: EnvironmentId, atMs: number): void {
    this.#agenda.note(environmentId, atMs)
    this.#plan(false)
  }

  /** What waits in memory was read with the subscription as it was. */
  #claimAgain(environmentId: EnvironmentId, subscriptionId: string): void {
    const lane = this.#lanes.find(environmentId, subscriptionId)
    if (lane) this.#dispatcher.giveBackQueue(lane)
    this.#lookAt(environmentId, this.#now())
  }

  /** Sets the timer to the next round: now, or when an environment's time comes, or the poll's. */
  #plan(now: boolean): void {
    if (!this.#running || this.#round) return
    const waitMs = now ? 0 : Math.min(this.#agenda.nextMs, this.#pollAt) - this.#now()
    const at = Math.max(performance.now() + waitMs, this.#nextRoundAt)
    if (at >= this.#timerAt) return
    clearTimeout(this.#timer)
    this.#timerAt = at
    this.#timer = setTimeout(() => this.#startRound(), Math.max(0, at - performance.now()))
  }

  #startRound(): void {
    this.#timerAt = Number.POSITIVE_INFINITY
    const pressed = this.#isPressed()
    this.#nextRoundAt = performance.now() + (pressed ? PRESSED_ROUND_MS : ROUND_MS)
    this.#round = this.#runRound(pressed ? MOST_PER_PRESSED_CLAIM : MOST_PER_CLAIM).finally(() => {
      this.#round = undefined
      const nowMs = this.#now()
      this.#plan(this.#lanes.all().some((lane) => lane.hasWork(nowMs) && lane.hasRoom(nowMs)))
    })
  }

  #isPressed(): boolean {
    const before = this.#utilization
    this.#utilization = performance.eventLoopUtilization()
    const { utilization, active, idle } = performance.eventLoopUtilization(this.#utilization, before)
    // What it did long ago says nothing of a burst that has just begun.
    const isOutdated = active + idle > OUTDATED_MS
    // Asked each time. Right now there may be none, between those that were answered together and their next ones.
    const requestsWaited = this.#requestsWaited()
    return requestsWaited && (utilization > PRESSED_UTILIZATION || isOutdated)
  }

  async #runRound(mostPerClaim: number): Promise<void> {
    if (this.#now() >= this.#pollAt) await this.#poll()
    await this.#forEach(this.#agenda.take(this.#now()), (environmentId) => this.#claimer.look(environmentId))
    await this.#forEach(this.#lanes.environmentsWithWork(this.#now()), async (environmentId) => {
      for (const lane of await this.#claimer.claim(environmentId, mostPerClaim)) this.#dispatcher.pump(lane)
    })
  }

  /** The net under the wake-ups and hints: whatever they missed is found here. */
  async #poll(): Promise<void> {
    this.#pollAt = this.#now() + this.#pollMs
    this.#lanes.forgetIdle(this.#now())
    try {
      for (const environmentId of await findEnvironmentsWithDeliveries(this.#database)) {
        this.#agenda.note(environmentId, this.#now())
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'looking for webhook deliveries failed')
    }
  }

  async #forEach(environments: readonly EnvironmentId[], work: (environmentId: EnvironmentId) => Promise<void>) {
    const waiting = [...environments]
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        try {
          await work(next)
        } catch (error) {
          this.#log.warn({ err: error, environmentId: next }, 'claiming webhook deliveries failed')
          this.#agenda.note(next, this.#now() + AWAY_MS)
          this.#nextRoundAt = performance.now() + AWAY_MS
        }
      }
    }
    await Promise.all(Array.from({ length: ENVIRONMENTS_AT_ONCE }, worker))
  }
}
