import type { EnvironmentId } from '../database/database.ts'
import type { CommitOrder, Place } from './order.ts'
import type { Stamp } from './stamp.ts'
import type { Turn } from './work.ts'

/** The turn of one batch over all its tries. */
export class BatchTurn implements Turn {
  readonly #order: CommitOrder
  readonly #environmentIds: readonly EnvironmentId[]
  #place: Place | undefined

  constructor(order: CommitOrder, environmentIds: readonly EnvironmentId[]) {
    this.#order = order
    this.#environmentIds = environmentIds
  }

  /** A batch whose statement was not answered keeps its place, and is sent again with the same ids. */
  async enter(distinct: boolean): Promise<Stamp> {
    this.#place ??= await this.#order.enter(this.#environmentIds, distinct)
    this.#place.stamp.rewind()
    return this.#place.stamp
  }

  /** Resolves when the batch may be answered. */
  leave(): Promise<void> | undefined {
    const place = this.#place
    this.#place = undefined
    return place && this.#order.settle(place)
  }
}
