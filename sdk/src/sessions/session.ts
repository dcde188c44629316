import type { Outcome } from '../../../contract/conditions/condition.ts'
import type { Claim, PageInfo, Report } from '../../../contract/sdk/protocol.ts'
import type { Visitor } from '../identity/visitor.ts'
import { backoff, wait } from '../server/backoff.ts'
import type { Calls, Failure } from '../server/calls.ts'
import { isPassing } from '../server/calls.ts'
import { Lease } from './lease.ts'
import { type ReportBody, ReportQueue, type Sent } from './reports.ts'

/** A claim of this browser, from its answer to its end: its reports, its lease, and what the server has decided about it. */
export class Session {
  readonly claim: Claim
  /** Of the server leaves of its document, as of the newest decision. */
  outcomes: readonly Outcome[]
  /** A decision has listed it: one that does not list it any more says that it has ended. */
  isListed = false
  readonly #visitor: Visitor
  readonly #page: () => PageInfo
  readonly #reports: ReportQueue
  readonly #lease: Lease
  readonly #lost: (isEnded: boolean) => void
  #failures = 0
  #isOver = false
  /** The server has a report of it, so that no release ends it, and a decision that is asked for from now on lists it. */
  isKept: boolean
  #released: Promise<void> | undefined

  /** `lost` is called when it must not be shown any more: it has ended, another browser has it, or the lease may be over. */
  constructor(claim: Claim, sentAt: number, visitor: Visitor, page: () => PageInfo, lost: (isEnded: boolean) => void) {
    this.claim = claim
    this.outcomes = claim.document.outcomes ?? []
    this.isKept = claim.progress !== null
    this.#visitor = visitor
    this.#page = page
    this.#lost = lost
    const { calls } = visitor
    // In the name of its user, who may leave before all of them have arrived.
    this.#reports = new ReportQueue(claim.sequence, (reports) => this.#send(reports, calls))
    this.#lease = new Lease(
      sentAt,
      () => this.#renew(),
      () => this.#lose(),
    )
  }

  get id(): string {
    return this.claim.id
  }

  report(body: ReportBody): void {
    this.#reports.push(body)
  }

  tick(isVisible: boolean): void {
    if (!this.#isOver) this.#lease.tick(isVisible)
  }

  /** Until the reports have arrived, for at most a second: then a page may be left. */
  async told(): Promise<void> {
    await Promise.race([this.acknowledged(), wait(1_000)])
  }

  /** Until the reports have arrived, or do not count any more. */
  async acknowledged(): Promise<void> {
    await this.#reports.acknowledged()
  }

  /** Gives up the claim. The session stays, and another tab or browser may go on with it. */
  release(): Promise<void> {
    this.#released ??= this.#release()
    return this.#released
  }

  async #release(): Promise<void> {
    // A release that arrived before the first report would end the claim, and with it what was told.
    await (this.isKept ? this.told() : this.acknowledged())
    this.#isOver = true
    await this.#visitor.call('release', this.#key())
  }

  /** The page is being left. One that has ended may have reports that did not arrive yet. */
  leave(): void {
    const reports = this.#reports.waiting
    if (reports.length > 0) this.#visitor.calls.leave('progress', { ...this.#key(), reports, page: this.#page() })
    // Before the first report has arrived, the next page, or the end of the lease, goes on.
    if (!this.#isOver && (reports.length === 0 || this.isKept)) this.#visitor.calls.leave('release', this.#key())
    this.end()
  }

  /** Nothing is renewed any more. Reports that wait are still sent. */
  end(): void {
    this.#isOver = true
  }

  #key(): { id: string; epoch: number } {
    return { id: this.claim.id, epoch: this.claim.epoch }
  }

  async #send(reports: Report[], calls: Calls): Promise<Sent> {
    const answer = await this.#visitor.call('progress', { ...this.#key(), reports, page: this.#page() }, calls)
    if (!answer.ok) return this.#failed(answer)
    this.#failures = 0
    this.isKept = true
    const { holder, slot, sequence, state } = answer.data
    const isEnded = state !== 'active' && state !== 'completed'
    const has = (kind: string) => reports.some(({ type }) => type === kind)
    // Other content got the slot of what was collapsed for a while: it is claimed again. What waits still counts, or may do so.
    if (holder === false || (slot === false && has('shown')) || (isEnded && !has('ended'))) this.#lose(isEnded)
    const last = reports.at(-1)?.sequence ?? 0
    return { kind: 'done', count: reports.length, sequence: Math.max(last, Number(sequence) || 0) }
  }

  #failed(failure: Failure): Sent {
    const stored = failure.code === 'sequence_gap' && /sequence (\d+)/.exec(failure.problem)
    if (stored) return { kind: 'done', count: 0, sequence: Number(stored[1]) }
    if (isPassing(failure)) return { kind: 'again', afterMs: Math.max(backoff(this.#failures++), failure.retryAfterMs) }
    const isRefused = [400, 413].includes(failure.status)
    if (!isRefused || !this.isKept) this.#lose()
    return { kind: isRefused ? 'refused' : 'over' }
  }

  async #renew(): Promise<'renewed' | 'lost' | 'failed'> {
    const answer = await this.#visitor.call('renew', this.#key())
    if (!answer.ok) return isPassing(answer) ? 'failed' : 'lost'
    return answer.data.holder === false ? 'lost' : 'renewed'
  }

  #lose(isEnded = false): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#lost(isEnded)
  }
}
