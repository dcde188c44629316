import type { Report } from '../../../contract/sdk/protocol.ts'
import { wait } from '../server/backoff.ts'

type WithoutSequence<T> = T extends unknown ? Omit<T, 'sequence'> : never
/** A report before it has its place in the order. */
export type ReportBody = WithoutSequence<Report>

/** What became of a request with reports. */
export type Sent =
  /** All up to this sequence are stored. */
  | { kind: 'stored'; sequence: number }
  /** The server has another last sequence than we thought. */
  | { kind: 'gap'; sequence: number }
  /** Try again after this time. */
  | { kind: 'again'; afterMs: number }
  /** Another browser holds the session, or it has ended: nothing more counts. */
  | { kind: 'over' }

/** The reports of one session, in their order: one request at a time, with everything that is not acknowledged yet. */
export class ReportQueue {
  readonly #send: (reports: Report[]) => Promise<Sent>
  readonly #wait: (ms: number) => Promise<void>
  #last: number
  #waiting: Report[] = []
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

  /** What is not acknowledged yet, for a page that is being left. A repeat is ignored by the server. */
  get waiting(): Report[] {
    return [...this.#waiting]
  }

  /** Until nothing waits. */
  async acknowledged(): Promise<void> {
    await this.#running
  }

  /** Until nothing waits, or this time has passed. */
  async settled(mostMs: number): Promise<void> {
    await Promise.race([this.acknowledged(), this.#wait(mostMs)])
  }

  /** Nothing is sent from now on. */
  stop(): void {
    this.#isOver = true
    this.#waiting = []
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Together with what is reported in the same moment.
      await null
      const sent = await this.#send([...this.#waiting]).catch((): Sent => ({ kind: 'again', afterMs: 5_000 }))
      if (sent.kind === 'over') this.stop()
      else if (sent.kind === 'again') await this.#wait(sent.afterMs)
      else this.#acknowledge(sent)
    }
    // At once: what is reported after this look at what waits begins another run.
    this.#running = null
  }

  #acknowledge({ kind, sequence }: { kind: 'stored' | 'gap'; sequence: number }): void {
    const left = this.#waiting.filter((report) => report.sequence > sequence)
    this.#waiting = kind === 'gap' ? left.map((report, index) => ({ ...report, sequence: sequence + 1 + index })) : left
    if (kind === 'gap') this.#last = sequence + this.#waiting.length
  }
}
