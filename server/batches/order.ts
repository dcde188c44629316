import { setTimeout as sleep } from 'node:timers/promises'
import { SET_MS } from '../database/clock.ts'
import type { EnvironmentId } from '../database/database.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { Stamp } from './stamp.ts'

/** Times run ahead of the clock with more than a thousand batches in a second. Batches wait at this limit. */
const MOST_AHEAD_MS = 1_000
/** With more environments than this, the state of those without a batch under way is dropped. */
const KEPT_ENVIRONMENTS = 100

/** What a list that is ordered by creation time may show: nothing later than `untilMs`, and nothing of these times. */
export interface Horizon {
  untilMs: number
  exceptMs: readonly number[]
}

/** The order of one environment. */
interface EnvironmentOrder {
  /** The time of the last batch, and the time up to which lists were read. Later batches get later times than both. */
  lastMs: number
  readMs: number
  /** The batches that are not answered yet, first to last. */
  readonly positions: CommitPosition[]
}

/**
 * The order in which new objects become visible, for each environment. Batches commit concurrently, and a later one can
 * finish before an earlier one. So each batch gets a later time than all before it in its environments, and is answered
 * and shown by lists after them. A client that follows the end of a list by creation time misses nothing.
 *
 * The state of an environment without a batch under way can be dropped once its times are past. The latest of all such
 * times are kept in case the clock is set back a little.
 *
 * A time that is ahead of the clock by more than batches run ahead is of a clock that was wrong. The order does not
 * continue it: otherwise every later batch would have that time, until the clock comes to it.
 */
export class CommitOrder {
  readonly #orders = new Map<EnvironmentId, EnvironmentOrder>()
  /** Grows with the environments that cannot be dropped yet, so that not every batch looks through them. */
  #mostKept = KEPT_ENVIRONMENTS
  #lastMs = 0
  #readMs = 0
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** How many environments have state. */
  get size(): number {
    return this.#orders.size
  }

  /** `distinct` is for batches that can create users or groups: their ids are not ordered by time, so no two batches share a time. */
  enter(environmentIds: readonly EnvironmentId[], distinct: boolean): MaybePromise<CommitPosition> {
    if (this.#orders.size > this.#mostKept) this.#dropPast()
    const ms = this.#timeFor(environmentIds, distinct)
    if (ms - this.#now() <= MOST_AHEAD_MS) return this.#append(ms, environmentIds)
    return sleep(1).then(() => this.#append(this.#timeFor(environmentIds, distinct), environmentIds))
  }

  #append(ms: number, environmentIds: readonly EnvironmentId[]): CommitPosition {
    const position = new CommitPosition(ms, environmentIds)
    for (const environmentId of environmentIds) {
      const order = this.#orders.get(environmentId) ?? this.#open(environmentId)
      order.lastMs = ms
      order.positions.push(position)
    }
    return position
  }

  /**
   * Everything of this position is committed or rolled back. Resolves when this is true of all positions before it.
   */
  settle(position: CommitPosition): Promise<void> | undefined {
    position.isSettled = true
    for (const environmentId of position.environmentIds) this.#pass(environmentId)
    if (position.openEnvironments === 0) return undefined
    position.reached ??= Promise.withResolvers()
    return position.reached.promise
  }

  /** For a statement that is sent after this call. */
  horizon(environmentId: EnvironmentId): Horizon {
    const order = this.#orders.get(environmentId)
    const now = this.#now()
    if (order) {
      order.readMs = Math.max(now, credible(order.lastMs, now))
      return { untilMs: order.readMs, exceptMs: order.positions.map(({ stamp }) => stamp.ms) }
    }
    this.#readMs = Math.max(now, credible(this.#lastMs, now))
    return { untilMs: this.#readMs, exceptMs: [] }
  }

  #timeFor(environmentIds: readonly EnvironmentId[], distinct: boolean): number {
    const now = this.#now()
    let ms = now
    for (const environmentId of environmentIds) {
      const { lastMs, readMs } = this.#orders.get(environmentId) ?? { lastMs: this.#lastMs, readMs: this.#readMs }
      ms = Math.max(ms, credible(lastMs + (distinct ? 1 : 0), now), credible(readMs + 1, now))
    }
    return ms
  }

  #open(environmentId: EnvironmentId): EnvironmentOrder {
    const order: EnvironmentOrder = { lastMs: this.#lastMs, readMs: this.#readMs, positions: [] }
    this.#orders.set(environmentId, order)
    return order
  }

  #pass(environmentId: EnvironmentId): void {
    const positions = this.#orders.get(environmentId)?.positions
    while (positions?.[0]?.isSettled) {
      const position = positions.shift() as CommitPosition
      position.openEnvironments -= 1
      if (position.openEnvironments === 0) position.reached?.resolve()
    }
  }

  #dropPast(): void {
    const now = this.#now()
    for (const [environmentId, { lastMs, readMs, positions }] of this.#orders) {
      const [last, read] = [credible(lastMs, now), credible(readMs, now)]
      if (positions.length > 0 || Math.max(last, read) >= now) continue
      this.#lastMs = Math.max(credible(this.#lastMs, now), last)
      this.#readMs = Math.max(credible(this.#readMs, now), read)
      this.#orders.delete(environmentId)
    }
    this.#mostKept = Math.max(KEPT_ENVIRONMENTS, 2 * this.#orders.size)
  }
}

/** A time that the order may continue, or 0. */
function credible(ms: number, now: number): number {
  return ms - now > SET_MS ? 0 : ms
}

/** The position of a batch in the order of its environments. */
export class CommitPosition {
  readonly stamp: Stamp
  readonly environmentIds: readonly EnvironmentId[]
  isSettled = false
  /** In how many environments it, or a position before it, is not settled. */
  openEnvironments: number
  /** Resolves when all positions before it are settled. Most are when it is settled itself. */
  reached: PromiseWithResolvers<void> | undefined

  constructor(ms: number, environmentIds: readonly EnvironmentId[]) {
    this.stamp = new Stamp(ms)
    this.environmentIds = environmentIds
    this.openEnvironments = environmentIds.length
  }
}
