import { DAY_MS } from '../../contract/units.ts'
import type { LiveRecord } from './record.ts'

const MOST_RECORDS = 500
const MOST_CHARACTERS = 4 * 1024 * 1024
/** Kept separately, so that many successes do not push out the few refusals. */
const MOST_REFUSALS = 200
/** Of a quiet environment they would stay for ever, with the values of users who were deleted since. */
const KEPT_MS = DAY_MS

/** The latest requests of one environment, bounded in number and size. */
export class Ring {
  readonly #successes: LiveRecord[] = []
  readonly #refusals: LiveRecord[] = []
  #characters = 0
  readonly #now: () => number
  readonly #isKept = ({ request }: LiveRecord): boolean => Date.parse(request.at) > this.#now() - KEPT_MS

  constructor(now: () => number) {
    this.#now = now
  }

  /** About how much memory it takes. */
  get characters(): number {
    return this.#characters
  }

  add(record: LiveRecord): void {
    const [list, most] = record.request.status < 400 ? [this.#successes, MOST_RECORDS] : [this.#refusals, MOST_REFUSALS]
    list.push(record)
    this.#characters += sizeOf(record)
    while (list.length > most || (this.#characters > MOST_CHARACTERS && list.length > 1)) this.#dropFirst(list)
    for (const each of [this.#successes, this.#refusals])
      while (each[0] && !this.#isKept(each[0])) this.#dropFirst(each)
  }

  #dropFirst(list: LiveRecord[]): void {
    this.#characters -= sizeOf(list.shift() as LiveRecord)
  }

  find(requestId: string): LiveRecord | undefined {
    const isIt = ({ request }: LiveRecord) => request.id === requestId
    const found = this.#refusals.findLast(isIt) ?? this.#successes.findLast(isIt)
    return found && this.#isKept(found) ? found : undefined
  }

  /** The latest ones, newest last. */
  latest(count: number): LiveRecord[] {
    const kept = [...this.#successes, ...this.#refusals].filter(this.#isKept)
    return kept.sort((a, b) => (a.request.at < b.request.at ? -1 : 1)).slice(-count)
  }
}

function sizeOf({ requestText, answerText }: LiveRecord): number {
  return requestText.length + answerText.length + 500
}
