import type { Result } from '../methods.ts'
import { ANSWER_AFTER_MS } from './call-queue.ts'

export function refuse(problem: string): Promise<Result> {
  return Promise.resolve({ ok: false, problem })
}

/** Calls that wait until the page has made another one first, in their order. */
export class EarlyCalls {
  readonly #missing: string
  #waiting: [carryOut: () => void, settle: (result: Result) => void][] = []
  /** Why none waits; null while they do. */
  #problem: string | null = null

  /** `missing`: what those that have waited too long are answered. They wait further all the same. */
  constructor(missing: string) {
    this.#missing = missing
  }

  add(run: () => Promise<Result>): Promise<Result> {
    if (this.#problem) return refuse(this.#problem)
    return new Promise((settle) => {
      this.#waiting.push([() => void run().then(settle), settle])
      setTimeout(() => settle({ ok: false, problem: this.#missing }), ANSWER_AFTER_MS)
    })
  }

  carryOut(): void {
    this.#problem = null
    for (const [carryOut] of this.#waiting.splice(0)) carryOut()
  }

  /** `isLasting`: also those that come from now on, until others are carried out. */
  refuse(problem: string, isLasting?: boolean): void {
    if (isLasting) this.#problem = problem
    for (const [, settle] of this.#waiting.splice(0)) settle({ ok: false, problem })
  }
}
