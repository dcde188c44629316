import { isoTime } from '../clock.ts'
import { newId } from '../ids.ts'

/** The time of a batch, and the ids that it assigns. A batch that is sent again unchanged gets the same ids. */
export class Stamp {
  readonly ms: number
  readonly at: string
  readonly #ids: string[] = []
  #used = 0

  constructor(ms: number) {
    this.ms = ms
    this.at = isoTime(ms)
  }

  newId(): string {
    const id = this.#ids[this.#used] ?? newId(this.ms)
    this.#ids[this.#used] = id
    this.#used += 1
    return id
  }

  /** An id that the next try assigns anew: of a row that is stored together with one that keeps its id. */
  freshId(): string {
    return newId(this.ms)
  }

  /** The next try assigns the same ids again, in the same order. */
  rewind(): void {
    this.#used = 0
  }
}
