import { tuning } from '../tuning.ts'
import { FirstInFirstOut, type Ticket, type WaitingItems } from './waiting-items.ts'

/** Reports the progress of a batch while it runs. */
export interface BatchProgress<Waiter> {
  /** The next batch may start. */
  next(): void
  /** It is tried again. The next batch may have begun; those behind it wait. */
  failed(): void
  /** These items are answered, others of the batch are not yet. */
  finished(part: readonly Waiter[]): void
}

/** Works on a batch and answers every ticket of it. */
type Run<Item, Result> = (batch: Ticket<Item, Result>[], progress: BatchProgress<Ticket<Item, Result>>) => Promise<void>

const { mostUnderWay, many, longestWaitMs, forgotten } = tuning.batcher
/** A batch that has not reached its commit by then does not block the next one: a locked environment delays others by this much. */
const SET_ASIDE_MS = 25
/** The most batches set aside at once. The other connections are left for running batches. */
const MOST_SET_ASIDE = 3

/**
 * The life of a batch:
 *
 *   begin ▶ running ── next ──▶ finishing ── end ──▶ ended
 *             │  └───────────── end ────│────────────▲
 *             │                       failed         │
 *             └─ putAside ▶ aside ◀─────┘            │
 *                             └──────── end ─────────┘
 *
 * | transition | who                     | when                                  | effect                                |
 * | ---------- | ----------------------- | ------------------------------------- | ------------------------------------- |
 * | begin      | `add`, the wait of 2 ms | `#mayBegin`: no batch is running, at  | its items are taken from the waiting  |
 * |            | for more items, and     | most one is finishing, and enough     | ones                                  |
 * |            | every transition below  | items wait (see `Batcher`)            |                                       |
 * | next       | `run`: for a write when | in the phase running                  | the next batch may begin              |
 * |            | it has all its locks,   |                                       |                                       |
 * |            | and only to commit      |                                       |                                       |
 * | putAside   | the timer, for writes   | it has run for 25 ms, and fewer than  | it does not count as under way; items |
 * |            |                         | three are aside; else 25 ms later     | that have to follow it are held; the  |
 * |            |                         |                                       | next batch may begin                  |
 * | failed     | `run`: for a write when | in the phase finishing                | as putAside                           |
 * |            | it has to be tried once |                                       |                                       |
 * |            | more                    |                                       |                                       |
 * | end        | `run` has returned or   |                                       | the next batch may begin; held items  |
 * |            | thrown                  |                                       | are released                          |
 *
 * While a batch is aside, the calls do not change its phase. `next` releases all held items, `finished` those of a part
 * that is answered, and `failed` holds them again. `finished` has no effect in the other phases: nothing is held.
 */
type BatchPhase = 'running' | 'finishing' | 'aside' | 'ended'

export interface BatcherOptions {
  /** Called when no item waits and no batch runs. */
  onIdle?: (() => void) | undefined
  /** A batch of writes takes all that waits, not half of the clients. */
  takesAll?: boolean
}

/**
 * Puts items that arrive together into batches. A single item starts immediately. While a batch runs, items gather, and
 * the next batch takes them. Reads by id and all writes use this, so that one round trip serves many requests.
 *
 * Each batch has a fixed cost, half a millisecond of PostgreSQL for a transaction. So a second batch starts only when
 * it is as large as the first: two of 16 cost less than three of 11. When many items were just answered, the first new
 * item waits for the others, two milliseconds at most.
 *
 * Writes have to keep their order, so their batches follow one another. Clients that were answered together send their next
 * requests together: if one batch took them all, the server would be idle while PostgreSQL works, and PostgreSQL while the
 * server parses. So a batch of writes takes at most half of the items that were there lately, unless other workers use the
 * cores meanwhile (docs/decisions/218-half-batches.md).
 */
export class Batcher<Item, Result> {
  readonly #run: Run<Item, Result>
  readonly #waiting: WaitingItems<Ticket<Item, Result>>
  readonly #onIdle: () => void
  readonly #takesAll: boolean
  #underWay = 0
  #itemsUnderWay = 0
  #setAside = 0
  /** How many items are likely to arrive together. */
  #expected = 1
  /** How many items waited or were under way at the same time lately: about as many clients wait for their answers. */
  #present = 0
  #expectation: NodeJS.Timeout | undefined
  /** Whether a batch is in the phase `running`, or is about to begin. */
  #busy = false
  /** That batch, if it can be set aside. */
  #watched: RunningBatch<Ticket<Item, Result>> | undefined
  #watch: NodeJS.Timeout | undefined

  constructor(
    run: Run<Item, Result>,
    waiting: WaitingItems<Ticket<Item, Result>> = new FirstInFirstOut(),
    { onIdle = () => {}, takesAll = false }: BatcherOptions = {},
  ) {
    this.#run = run
    this.#waiting = waiting
    this.#onIdle = onIdle
    // Reads keep no order.
    this.#takesAll = takesAll || !waiting.hold
  }

  get size(): number {
    return this.#waiting.size
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      if (!this.#mayBegin()) return
      this.#busy = true
      // After the current turn, so that items that arrive together are in one batch.
      process.nextTick(() => void this.#begin())
    })
  }

  async #begin(): Promise<void> {
    const batch = this.#waiting.take(this.#mostToTake())
    const running = new RunningBatch(batch)
    this.#underWay += 1
    this.#itemsUnderWay += batch.length
    this.#expect(batch.length)
    if (this.#waiting.hold) this.#watchFor(running)
    try {
      await this.#run(batch, {
        next: () => this.#onNext(running),
        failed: () => this.#onFailed(running),
        finished: (part) => running.phase === 'aside' && this.#release(batch, part),
      })
    } catch (error) {
      for (const ticket of batch) ticket.reject(error)
    }
    this.#end(running)
    if (this.#waiting.size + this.#underWay + this.#setAside === 0 && !this.#busy) this.#onIdle()
  }

  #onNext(running: RunningBatch<Ticket<Item, Result>>): void {
    if (running.phase === 'running') this.#leaveRunning(running, 'finishing')
    else if (running.phase === 'aside') this.#release(running.batch, running.batch)
  }

  #onFailed(running: RunningBatch<Ticket<Item, Result>>): void {
    if (running.phase === 'finishing') this.#putAside(running)
    else if (running.phase === 'aside') this.#waiting.hold?.(running.batch)
  }

  #end(running: RunningBatch<Ticket<Item, Result>>): void {
    const { batch, phase } = running
    running.phase = 'ended'
    this.#present = Math.max(this.#waiting.size + this.#itemsUnderWay, this.#present * (1 - forgotten))
    if (phase === 'aside') {
      this.#setAside -= 1
      this.#release(batch, batch)
      return
    }
    this.#leaveUnderWay(batch)
    if (phase === 'running') this.#leaveRunning(running, 'ended')
    else this.#beginNext()
  }

  #leaveUnderWay(batch: readonly Ticket<Item, Result>[]): void {
    this.#underWay -= 1
    this.#itemsUnderWay -= batch.length
  }

  #leaveRunning(running: RunningBatch<Ticket<Item, Result>>, phase: BatchPhase): void {
    running.phase = phase
    this.#watched = undefined
    this.#busy = false
    this.#beginNext()
  }

  /** One timer for all batches: a timer for each took 16 µs of a lone event, and hardly ever fired. */
  #watchFor(running: RunningBatch<Ticket<Item, Result>>): void {
    this.#watched = running
    this.#watch ??= setTimeout(() => this.#checkWatched(), SET_ASIDE_MS)
  }

  #checkWatched(): void {
    this.#watch = undefined
    const running = this.#watched
    if (!running) return
    const leftMs = running.startedAt + SET_ASIDE_MS - performance.now()
    if (leftMs > 0) this.#watch = setTimeout(() => this.#checkWatched(), Math.ceil(leftMs))
    else if (this.#setAside < MOST_SET_ASIDE) this.#putAside(running)
    else this.#watchFor(running)
  }

  #putAside(running: RunningBatch<Ticket<Item, Result>>): void {
    this.#setAside += 1
    this.#leaveUnderWay(running.batch)
    this.#waiting.hold?.(running.batch)
    if (running.phase === 'running') this.#leaveRunning(running, 'aside')
    else {
      running.phase = 'aside'
      this.#beginNext()
    }
  }

  #release(batch: readonly Ticket<Item, Result>[], part: readonly Ticket<Item, Result>[]): void {
    this.#waiting.release?.(batch, part)
    this.#beginNext()
  }

  #mayBegin(): boolean {
    if (this.#busy || this.#underWay === mostUnderWay) return false
    return this.#waiting.size >= (this.#underWay > 0 ? this.#itemsUnderWay : this.#expected)
  }

  #mostToTake(): number {
    if (this.#takesAll) return Number.POSITIVE_INFINITY
    const present = Math.max(this.#present, this.#waiting.size + this.#itemsUnderWay)
    return present < 2 * many ? Number.POSITIVE_INFINITY : Math.ceil(present / 2)
  }

  #beginNext(): void {
    if (this.#mayBegin()) {
      this.#busy = true
      void this.#begin()
    } else if (this.#underWay === 0 && this.#expected > 1) {
      this.#expectation ??= setTimeout(() => {
        this.#expect(1)
        this.#beginNext()
      }, longestWaitMs)
    }
  }

  #expect(count: number): void {
    clearTimeout(this.#expectation)
    this.#expectation = undefined
    this.#expected = count < many ? 1 : count
  }
}

class RunningBatch<Waiter> {
  readonly batch: Waiter[]
  readonly startedAt = performance.now()
  phase: BatchPhase = 'running'

  constructor(batch: Waiter[]) {
    this.batch = batch
  }
}
