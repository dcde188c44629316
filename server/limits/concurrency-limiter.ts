import { errors } from '../errors.ts'
import { FairQueue, type QueueEntry } from './fair-queue.ts'

export interface ConcurrencyLimits {
  mostActive: number
  mostWaiting: number
  maxWaitMs: number
}

/** Waiting for a slot: `admitted` settles when there is one, or when there will be none in time. */
export interface Turn {
  readonly admitted: Promise<void>
  /** For one who no longer wants the slot; a slot that was already given stays to be left. Returns whether it still waited. */
  cancel(): boolean
}

interface Waiter {
  admit(): void
  refuse(error: Error): void
  timer: NodeJS.Timeout
}

/** Over 15 s in the queue is 503, says the contract. An entry has about a hundred bytes, so ten thousand are cheap to keep. */
export const CONCURRENCY = { mostWaiting: 10_000, maxWaitMs: 15_000 }

/**
 * At most so many active requests in this process. The others wait, and accounts take turns, so that one that floods
 * delays itself. Without a queue, entering and leaving is one comparison and one addition.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  readonly #queue = new FairQueue<Waiter>()
  #active = 0
  #peak = 0
  /** How many were turned away, at once or after their time, since the start. */
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

  /** Takes a slot when there is one: `leave` must follow, once. */
  tryEnter(): boolean {
    if (this.#active >= this.#limits.mostActive) return false
    this.#active += 1
    if (this.#active > this.#peak) this.#peak = this.#active
    return true
  }

  /** The most that were active at once since this was last asked. */
  takePeak(): number {
    const peak = this.#peak
    this.#peak = this.#active
    return peak
  }

  /** After `tryEnter` said no. Once admitted, `leave` must follow, once. */
  wait(accountId: number): Turn {
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
    if (!youngest || youngest.line.size <= this.#queue.sizeOf(accountId) + 1) {
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
