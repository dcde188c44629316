import { errors } from '../errors.ts'
import { FairQueue, type QueueEntry } from './fair-queue.ts'

export interface ConcurrencyLimits {
  mostActive: number
  mostWaiting: number
  maxWaitMs: number
}

/** A request that waits for a slot. `admitted` settles when it gets one, or rejects when it waited too long. */
export interface QueuedSlot {
  readonly admitted: Promise<void>
  /**
   * For a client that disconnected: `admitted` then never settles. A slot that was already given still has to be left.
   * Returns whether it still waited.
   */
  cancel(): boolean
}

interface Waiter {
  admit(): void
  refuse(error: Error): void
  timer: NodeJS.Timeout
}

/** Over 15 s in the queue is a 503 by the contract. An entry takes about a hundred bytes. */
export const CONCURRENCY = { mostWaiting: 10_000, maxWaitMs: 15_000 }

/**
 * Limits the active requests of this process. The others wait, and accounts are served in turn, so that an account that
 * floods delays itself. Without a queue, entering and leaving is one comparison and one addition.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  readonly #queue = new FairQueue<Waiter>()
  #active = 0
  #peak = 0
  /** Refused requests since the start, at once or after the wait. */
  refusals = 0

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Takes a slot when there is one. `leave` must follow, once. */
  tryEnter(): boolean {
    if (this.#active >= this.#limits.mostActive) return false
    this.#active += 1
    if (this.#active > this.#peak) this.#peak = this.#active
    return true
  }

  /** The peak of active requests since the last call. */
  takePeak(): number {
    const peak = this.#peak
    this.#peak = this.#active
    return peak
  }

  /** Called after `tryEnter` returned false. Once admitted, `leave` must follow, once. */
  wait(accountId: number): QueuedSlot {
    this.#makeRoom(accountId)
    let entry: QueueEntry<Waiter> | undefined
    const admitted = new Promise<void>((admit, refuse) => {
      const timer = setTimeout(() => this.#refuse(entry as QueueEntry<Waiter>), this.#limits.maxWaitMs)
      entry = this.#queue.push(accountId, { admit, refuse, timer })
    })
    return { admitted, cancel: () => this.#drop(entry as QueueEntry<Waiter>) }
  }

  leave(): void {
    const next = this.#queue.shift()
    if (!next) {
      this.#active -= 1
      return
    }
    clearTimeout(next.timer)
    next.admit()
  }

  /** A full queue refuses the youngest entry of the account with the most entries, so a flood cannot keep others out. */
  #makeRoom(accountId: number): void {
    if (this.#queue.size < this.#limits.mostWaiting) return
    const youngest = this.#queue.youngestOfLongest()
    if (!youngest || youngest.queue.size <= this.#queue.sizeOf(accountId) + 1) {
      this.refusals += 1
      throw errors.overloaded()
    }
    this.#refuse(youngest)
  }

  #refuse(entry: QueueEntry<Waiter>): void {
    if (!this.#drop(entry)) return
    this.refusals += 1
    entry.item.refuse(errors.overloaded())
  }

  #drop(entry: QueueEntry<Waiter>): boolean {
    clearTimeout(entry.item.timer)
    return this.#queue.leave(entry)
  }
}
