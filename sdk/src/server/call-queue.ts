import type { Result } from '../methods.ts'
import { backoff } from './backoff.ts'
import { type Answer, isPassing } from './calls.ts'

/** After this time a call is answered as failed. It is tried further all the same. */
const ANSWER_AFTER_MS = 15_000
/** What a page may queue while Usher is away. */
const MOST_WAITING = 500

export interface QueueTime {
  wait(ms: number): Promise<void>
  now(): number
}

const realTime: QueueTime = {
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  now: () => performance.now(),
}

/**
 * Calls that must reach the server in their order: identify, group, update, track. One runs at a time. One that fails for now is
 * tried again; one that is refused is left out. Every promise settles, and none rejects.
 */
export class CallQueue {
  #last: Promise<void> = Promise.resolve()
  #waiting = 0
  #generation = 0
  readonly #time: QueueTime

  constructor(time: QueueTime = realTime) {
    this.#time = time
  }

  add(run: () => Promise<Answer<unknown>>): Promise<Result> {
    if (this.#waiting >= MOST_WAITING) return Promise.resolve({ ok: false, problem: 'too many calls wait for Usher' })
    this.#waiting += 1
    const generation = this.#generation
    return new Promise((settle) => {
      this.#last = this.#last
        .then(() => this.#carryOut(run, settle, generation))
        .catch(() => settle({ ok: false, problem: 'the call failed' }))
        .finally(() => {
          this.#waiting -= 1
        })
    })
  }

  /** Calls that wait are left out, and answered so. */
  clear(): void {
    this.#generation += 1
  }

  async #carryOut(
    run: () => Promise<Answer<unknown>>,
    settle: (result: Result) => void,
    generation: number,
  ): Promise<void> {
    const begun = this.#time.now()
    for (let failures = 0; ; failures++) {
      if (generation !== this.#generation) return settle({ ok: false, problem: 'the user was reset' })
      const answer = await run()
      if (answer.ok) return settle({ ok: true })
      const { problem } = answer
      if (!isPassing(answer)) return settle({ ok: false, problem })
      const pause = Math.max(backoff(failures), answer.retryAfterMs)
      if (this.#time.now() + pause - begun > ANSWER_AFTER_MS) settle({ ok: false, problem })
      await this.#time.wait(pause)
    }
  }
}
