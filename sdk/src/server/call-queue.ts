import type { Result } from '../methods.ts'
import { backoff, wait } from './backoff.ts'
import { type Answer, failure, isPassing } from './calls.ts'

/** After this time a call is answered as failed, also one before `identify`. It is tried further all the same. */
export const ANSWER_AFTER_MS = 15_000
/** What a page may queue while Usher is away. */
const MOST_WAITING = 500

export const WAS_RESET = 'the user was reset'
/** Of a call in the name of a user who has left. */
export const LEFT = failure(409, 'reset', WAS_RESET)

export interface QueueTime {
  wait(ms: number): Promise<void>
  now(): number
}

const realTime: QueueTime = { wait, now: () => performance.now() }

/** Sends a call from a page that is being left, unless that cannot be done. */
export type Leave = () => boolean

interface Waiting {
  since: number
  settle(result: Result): void
  /** Not while it is under way: it would be sent twice. */
  leave: Leave | undefined
}

/**
 * Calls that must reach the server in their order: identify, group, update, track. One runs at a time. One that fails for now is
 * tried again; one that is refused is left out. Every promise settles, and none rejects.
 */
export class CallQueue {
  #last: Promise<void> = Promise.resolve()
  readonly #waiting = new Set<Waiting>()
  /** While a call that fails for now is not tried: answers those that would wait too long. */
  #answerLate: (() => void) | undefined
  #generation = 0
  #endPause = () => {}
  readonly #time: QueueTime

  constructor(time: QueueTime = realTime) {
    this.#time = time
  }

  /** A call with `leave` is also made when its user leaves before its turn has come. */
  add(run: () => Promise<Answer<unknown>>, leave?: Leave): Promise<Result> {
    if (this.#waiting.size >= MOST_WAITING) return Promise.resolve({ ok: false, problem: 'too many calls wait' })
    const generation = this.#generation
    return new Promise((settle) => {
      const waiting = { since: this.#time.now(), settle, leave }
      this.#waiting.add(waiting)
      this.#answerLate?.()
      this.#last = this.#last
        .then(() => this.#carryOut(run, waiting, generation))
        .catch(() => settle({ ok: false, problem: 'the call failed' }))
        // Without `finally`, which the Promise of an old page may not have.
        .then(() => void this.#waiting.delete(waiting))
    })
  }

  /**
   * Another user: calls that wait get one more try if they have `leave`, else they are left out, and answered so. Those of the
   * next user do not wait for them.
   */
  clear(): void {
    this.#generation += 1
    this.#last = Promise.resolve()
    this.#endPause()
  }

  /** The page is being left: what waits is sent by its `leave`, and done with that. */
  leave(): void {
    for (const one of this.#waiting) {
      if (!one.leave?.()) continue
      one.settle({ ok: true })
      this.#waiting.delete(one)
    }
  }

  async #carryOut(run: () => Promise<Answer<unknown>>, waiting: Waiting, generation: number): Promise<void> {
    const { settle, leave } = waiting
    for (let failures = 0; this.#waiting.has(waiting); failures++) {
      if (generation !== this.#generation && (!leave || failures > 0)) return settle({ ok: false, problem: WAS_RESET })
      waiting.leave = undefined
      const answer = await run()
      if (answer.ok) return settle({ ok: true })
      const { problem } = answer
      if (!isPassing(answer)) return settle({ ok: false, problem })
      waiting.leave = leave
      const pause = Math.max(backoff(failures), answer.retryAfterMs)
      const until = this.#time.now() + pause
      // Also those behind this one: whoever awaits one goes on.
      this.#answerLate = () => {
        for (const one of this.#waiting) if (until - one.since > ANSWER_AFTER_MS) one.settle({ ok: false, problem })
      }
      this.#answerLate()
      await new Promise<void>((resolve) => {
        this.#endPause = resolve
        void this.#time.wait(pause).then(resolve)
      })
      this.#answerLate = undefined
    }
  }
}
