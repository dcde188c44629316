import { setTimeout as sleep } from 'node:timers/promises'
import { Stamp } from './stamp.ts'

/** Times run ahead of the clock when more than a thousand batches want one in a second; further than this they wait. */
const MOST_AHEAD_MS = 1_000
/** Further than this it was the clock that was set back. */
const SET_BACK_MS = 2_000

/** What a list that is ordered by creation time may show: nothing later than `untilMs`, and nothing of these times. */
export interface Horizon {
  untilMs: number
  exceptMs: readonly number[]
}

/**
 * The order in which what is created becomes visible. Batches commit side by side, and a later one can be through before
 * an earlier one. So each batch gets a time that is later than all before it, is answered after all before it, and is
 * shown by lists after all before it. A reader that follows the end of a list by creation time misses nothing.
 */
export class CommitOrder {
  /** The time of the last batch, and the time up to which lists were read: what comes is later than both. */
  #lastMs = 0
  #readMs = 0
  /** The batches that are not answered yet, first to last. */
  readonly #places = new Set<Place>()

  /** `distinct` is for batches that can create users or groups: their ids break no tie, so no two batches share a time. */
  async enter(distinct: boolean): Promise<Place> {
    const ahead = this.#lastMs - Date.now()
    if (ahead > MOST_AHEAD_MS && ahead < SET_BACK_MS) await sleep(1)
    this.#lastMs = Math.max(Date.now(), this.#lastMs + (distinct ? 1 : 0), this.#readMs + 1)
    const place = new Place(this.#lastMs)
    this.#places.add(place)
    return place
  }

  /** Everything of this place is committed or rolled back; resolves when that is so for all places before it. */
  settle(place: Place): Promise<void> | undefined {
    place.isSettled = true
    const [first] = this.#places
    if (first !== place) return place.reached.promise
    for (const each of this.#places) {
      if (!each.isSettled) break
      this.#places.delete(each)
      each.reached.resolve()
    }
    return undefined
  }

  /** For a statement that is sent after this call. */
  horizon(): Horizon {
    this.#readMs = Math.max(Date.now(), this.#lastMs)
    return { untilMs: this.#readMs, exceptMs: Array.from(this.#places, ({ stamp }) => stamp.ms) }
  }
}

/** Where a batch stands in the order. */
export class Place {
  readonly stamp: Stamp
  isSettled = false
  /** When all before it are settled. */
  readonly reached = Promise.withResolvers<void>()

  constructor(ms: number) {
    this.stamp = new Stamp(ms)
  }
}
