import type { EnvironmentId } from '../database/database.ts'
import { after, type MaybePromise } from '../maybe-promise.ts'
import type { CommitOrder, CommitPosition } from './order.ts'
import type { BatchPlace } from './precedence.ts'
import type { Stamp } from './stamp.ts'
import type { Turn } from './work.ts'

/** The position of one batch over all its tries. */
export class BatchTurn implements Turn {
  readonly #order: CommitOrder
  readonly #environmentIds: readonly EnvironmentId[]
  readonly #place: BatchPlace
  #position: CommitPosition | undefined
  #tries = 0

  constructor(order: CommitOrder, environmentIds: readonly EnvironmentId[], place: BatchPlace) {
    this.#order = order
    this.#environmentIds = environmentIds
    this.#place = place
  }

  get isFirstTry(): boolean {
    return this.#tries === 1
  }

  beginTry(): void {
    this.#tries += 1
    this.#position?.stamp.rewind()
  }

  see(what: 'created' | 'everything'): Promise<void> {
    return what === 'created' ? this.#place.untilCreated() : this.#place.untilNext()
  }

  creates(): void {
    this.#place.creates()
  }

  /**
   * Work that enters again in the same try gets the same stamp, and further ids. A batch whose statement was not answered
   * keeps its position, and is sent again with the same ids.
   */
  enter(distinct: boolean): MaybePromise<Stamp> {
    if (this.#position) return this.#position.stamp
    return after(this.#order.enter(this.#environmentIds, distinct), (position) => {
      this.#position = position
      return position.stamp
    })
  }

  /** Resolves when the batch may be answered. */
  leave(): Promise<void> | undefined {
    const position = this.#position
    this.#position = undefined
    return position && this.#order.settle(position)
  }
}
