import { LEASE_SECONDS } from '../contract/sdk/protocol.ts'
import type { Random } from '../test/fuzz/random.ts'
import type { Answers } from './answers.ts'
import { FLICKERING, STEADY } from './flows.ts'
import type { DrillPage, PageAnswer } from './page.ts'

/** What the page has claimed. */
export interface Held {
  id: string
  epoch: number
}

/** A flow, from its first step to its end. `ease` is what the user answers. */
const parts = (ease: number) => [
  [{ sequence: 1, type: 'step_seen', step: 'first' }],
  [
    { sequence: 2, type: 'step_seen', step: 'second' },
    { sequence: 3, type: 'answered', question: 'ease', value: ease },
  ],
  [
    { sequence: 4, type: 'completed' },
    { sequence: 5, type: 'ended', reason: 'button' },
  ],
]

/** One user goes through one flow, and now and then changes the browser on the way. */
export class Walk {
  readonly #pages: readonly [DrillPage, DrillPage]
  readonly #userId: string
  readonly #content: string
  readonly #answers: Answers
  readonly #random: Random
  readonly #begun: number
  #held: Held

  /** The first page is the one that holds the claim. `begun` is when it was sent: its lease may have begun then. */
  constructor(
    pages: readonly [DrillPage, DrillPage],
    held: Held,
    of: { userId: string; content: string; begun: number; answers: Answers; random: Random },
  ) {
    this.#pages = pages
    this.#held = held
    this.#userId = of.userId
    this.#content = of.content
    this.#begun = of.begun
    this.#answers = of.answers
    this.#random = of.random
  }

  /** Each part is sent until it is acknowledged; what is acknowledged must be stored once. Returns whether it came to the end. */
  async run(): Promise<boolean> {
    const ease = this.#random.below(11)
    let [page, other] = this.#pages
    for (const [index, reports] of parts(ease).entries()) {
      if (!(await this.#report(page, reports, index > 0 ? ease : undefined))) return false
      if (index === 2) return true
      if (index === 0) await this.#claimAnother(page)
      await this.#renew(page)
      // A browser that goes away in the middle; the rest is never sent.
      if (this.#random.chance(0.1)) return false
      if (!this.#random.chance(0.3)) continue
      if (!(await this.#handOver(page, other))) return false
      ;[page, other] = [other, page]
    }
    return true
  }

  async #report(page: DrillPage, reports: readonly { sequence: number }[], ease: number | undefined): Promise<boolean> {
    const { id, epoch } = this.#held
    const { status, body } = await page.call('progress', { id, epoch, reports })
    const sequence = reports.at(-1)?.sequence ?? 0
    if (status !== 200 || body.sequence < sequence) {
      this.#isWrong(`progress was answered ${status} ${JSON.stringify(body)}`)
      return false
    }
    const { flows } = this.#answers
    flows.acknowledge(id, { userId: this.#userId, content: this.#content, sequence, ease })
    return true
  }

  async #renew(page: DrillPage): Promise<void> {
    const { status, body } = await page.call('renew', this.#held)
    if (status !== 200 || body.holder !== true) this.#isWrong(`renew was answered ${status} ${JSON.stringify(body)}`)
  }

  /** One browser is closed, and the other goes on where it was. What the first one still sends does not count. */
  async #handOver(from: DrillPage, to: DrillPage): Promise<boolean> {
    const { id, epoch } = this.#held
    const before = this.#answers.flows.sessions.get(id)?.sequence ?? 0
    const { status, body } = await this.#releaseAndResume(from, to)
    if (status !== 200 || body.id !== id || body.epoch <= epoch || body.sequence < before) {
      this.#isWrong(
        `${id} at ${before} in epoch ${epoch} was resumed with ${status} ${JSON.stringify(body).slice(0, 300)}`,
      )
      return false
    }
    this.#held = { id, epoch: body.epoch }
    const reports = [{ sequence: before + 1, type: 'ended', reason: 'close_button' }]
    const late = await from.call('progress', { id, epoch, reports })
    if (late.status === 200 && late.body.holder) this.#isWrong('a browser that was released has reported')
    this.#answers.flows.resumed += 1
    return true
  }

  /**
   * A claim of the first browser that was not answered may be carried out after its release: then it holds the session again.
   * It releases it again, at most once for each such claim.
   */
  async #releaseAndResume(from: DrillPage, to: DrillPage): Promise<PageAnswer> {
    const { id, epoch } = this.#held
    for (let late = from.unansweredClaims; ; late -= 1) {
      await from.call('release', { id, epoch })
      const answer = await to.call('claim', { content: this.#content, session: id })
      if (answer.body.error?.code !== 'shown_elsewhere' || late === 0) return answer
    }
  }

  /** The slot is taken by what is visible. */
  async #claimAnother(page: DrillPage): Promise<void> {
    if (this.#content !== STEADY) return
    const { status } = await page.call('claim', { content: FLICKERING })
    if (status === 200) this.#isWrong('two flows are visible in one browser')
  }

  /** After an outage the lease may be over, and a flow that was unpublished has ended. */
  #isWrong(what: string): void {
    const isOver = performance.now() - this.#begun > LEASE_SECONDS * 1_000
    if (!isOver && this.#content === STEADY) this.#answers.wrong.push(`${this.#userId}: ${what}`)
  }
}
