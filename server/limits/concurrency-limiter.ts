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
  accountId: number
  admit(): void
  refuse(error: Error): void
  timer: NodeJS.Timeout
}

/** Over 15 s in the queue is a 503 by the contract. An entry takes about a hundred bytes. */
export const CONCURRENCY = { mostWaiting: 10_000, maxWaitMs: 15_000 }

/** Of the active requests, those of one account: slow ones, and answers that are not read, leave slots for the others. */
const SHARE = 0.75

/**
 * Limits the active requests of this process. The others wait, and accounts are served in turn, so that an account that
 * floods delays itself. Without a queue, entering and leaving is a few comparisons and additions.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits
  readonly #queue = new FairQueue<Waiter>()
  readonly #share: number
  /** Active requests by account. Accounts without any stay: a Map that shrinks and grows at each request is slow. */
  readonly #ofAccounts = new Map<number, number>()
  #active = 0
  #peak = 0
  /** Refused requests since the start, at once or after the wait. */
  refusals = 0

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits
    this.#share = Math.ceil(limits.mostActive * SHARE)
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#queue.size
  }

  /** Takes a slot when there is one for the account. `leave` must follow, once. */
  tryEnter(accountId: number): boolean {
    const ofAccount = this.#activeOf(accountId)
    if (this.#active >= this.#limits.mostActive || ofAccount >= this.#share) return false
    this.#ofAccounts.set(accountId, ofAccount + 1)
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
      entry = this.#queue.push(accountId, { accountId, admit, refuse, timer })
    })
    return { admitted, cancel: () => this.#drop(entry as QueueEntry<Waiter>) }
  }

  leave(accountId: number): void {
    this.#count(accountId, -1)
    const next = this.#queue.size > 0 ? this.#queue.shift((key) => this.#activeOf(key) < this.#share) : undefined
    if (!next) {
      this.#active -= 1
      return
    }
    this.#count(next.accountId, 1)
    clearTimeout(next.timer)
    next.admit()
  }

  #activeOf(accountId: number): number {
    return this.#ofAccounts.get(accountId) ?? 0
  }

  #count(accountId: number, difference: number): void {
    this.#ofAccounts.set(accountId, this.#activeOf(accountId) + difference)
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
