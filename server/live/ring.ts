import type { LiveRecord } from './record.ts'

const MOST_RECORDS = 500
const MOST_CHARACTERS = 4 * 1024 * 1024
/** Kept separately, so that many successes do not push out the few refusals. */
const MOST_REFUSALS = 200

/** The latest requests of one environment, bounded in number and size. */
export class Ring {
  readonly #successes: LiveRecord[] = []
  readonly #refusals: LiveRecord[] = []
  #characters = 0

  /** About how much memory it takes. */
  get characters(): number {
    return this.#characters
  }

  add(record: LiveRecord): void {
    const [list, most] = record.request.status < 400 ? [this.#successes, MOST_RECORDS] : [this.#refusals, MOST_REFUSALS]
    list.push(record)
    this.#characters += sizeOf(record)
    while (list.length > most || (this.#characters > MOST_CHARACTERS && list.length > 1)) {
      this.#characters -= sizeOf(list.shift() as LiveRecord)
    }
  }

  find(requestId: string): LiveRecord | undefined {
    const isIt = ({ request }: LiveRecord) => request.id === requestId
    return this.#refusals.findLast(isIt) ?? this.#successes.findLast(isIt)
  }

  /** The latest ones, newest last. */
  latest(count: number): LiveRecord[] {
    return [...this.#successes, ...this.#refusals].sort((a, b) => (a.request.at < b.request.at ? -1 : 1)).slice(-count)
  }
}

function sizeOf({ requestText, answerText }: LiveRecord): number {
  return requestText.length + answerText.length + 500
}
