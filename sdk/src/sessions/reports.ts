import type { Report } from '../../../contract/sdk/protocol.ts'
import { wait } from '../server/backoff.ts'

type WithoutSequence<T> = T extends unknown ? Omit<T, 'sequence'> : never
/** A report before it has its place in the order. */
export type ReportBody = WithoutSequence<Report>

/** What became of a request with reports. */
export type Sent =
  /** So many of them are done with, and this is the last sequence that the server has, also of another page. */
  | { kind: 'done'; count: number; sequence: number }
  /** They are too many, too long or wrong. */
  | { kind: 'refused' }
  /** Try again after this time. */
  | { kind: 'again'; afterMs: number }
  /** No report of this session is taken any more. */
  | { kind: 'over' }

/** In one request, while none is refused. The server takes 200. */
const MOST = 100

/** The reports of one session, in their order: one request at a time, with everything that is not acknowledged yet. */
export class ReportQueue {
  readonly #send: (reports: Report[]) => Promise<Sent>
  readonly #wait: (ms: number) => Promise<void>
  #last: number
  #waiting: Report[] = []
  #most = MOST
  #running: Promise<void> | null = null
  #isOver = false

  /** `last` is the sequence that the claim has returned. */
  constructor(last: number, send: (reports: Report[]) => Promise<Sent>, pause: (ms: number) => Promise<void> = wait) {
    this.#last = last
    this.#send = send
    this.#wait = pause
  }

  push(body: ReportBody): void {
    if (this.#isOver) return
    this.#last += 1
    this.#waiting.push({ sequence: this.#last, ...body } as Report)
    // A page whose own functions throw in ours gets no error of ours. What waits is sent with the next report.
    this.#running ??= this.#run().catch(() => {
      this.#running = null
    })
  }

  /** What is sent next, also by a page that is being left. A repeat is ignored by the server. */
  get waiting(): Report[] {
    return this.#waiting.slice(0, this.#most)
  }

  /** Until nothing waits. */
  async acknowledged(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Together with what is reported in the same moment.
      await null
      const sent = await this.#send(this.waiting).catch((): Sent => ({ kind: 'again', afterMs: 5_000 }))
      if (sent.kind === 'over') {
        this.#isOver = true
        this.#waiting = []
      } else if (sent.kind === 'again') await this.#wait(sent.afterMs)
      else if (sent.kind === 'done') this.#done(sent)
      // One by one: what is refused alone is left out.
      else if (this.#most > 1) this.#most = 1
      else {
        this.#most = MOST
        this.#done({ count: 1, sequence: this.#last - this.#waiting.length })
      }
    }
    // At once: what is reported after this look at what waits begins another run.
    this.#running = null
  }

  #done({ count, sequence }: { count: number; sequence: number }): void {
    this.#waiting = this.#waiting.slice(count).map((one, index) => ({ ...one, sequence: sequence + 1 + index }))
    this.#last = sequence + this.#waiting.length
  }
}
