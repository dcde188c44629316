import type { Job } from './jobs.ts'
import { type JobKinds, kindOf } from './kinds.ts'

/**
 * Which of the waiting jobs of an environment can be in one transaction. All kinds can, except that a removal and another
 * job about one object cannot: the batch ends before the second of them. So within a batch the order of a removal and
 * other jobs does not matter. Nearly all batches have no removals, and nothing is looked up for those.
 */
export class Mixture {
  readonly #kinds: JobKinds
  /** Jobs that are not looked at yet, since there was no removal. */
  #others: Job[] = []
  readonly #written = new Set<string>()
  readonly #removed = new Set<string>()

  constructor(kinds: JobKinds) {
    this.#kinds = kinds
  }

  /** Called for one job after the other, until one is refused. */
  accepts(job: Job): boolean {
    const { isRemoval = false } = kindOf(this.#kinds, job)
    if (!isRemoval && this.#removed.size === 0) {
      this.#others.push(job)
      return true
    }
    this.#lookAtOthers()
    const about = kindOf(this.#kinds, job).about(job)
    const [own, opposite] = isRemoval ? [this.#removed, this.#written] : [this.#written, this.#removed]
    if (about.some((object) => opposite.has(object))) return false
    for (const object of about) own.add(object)
    return true
  }

  #lookAtOthers(): void {
    for (const job of this.#others) for (const object of kindOf(this.#kinds, job).about(job)) this.#written.add(object)
    this.#others = []
  }
}
