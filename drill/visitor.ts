import { setTimeout as sleep } from 'node:timers/promises'
import { LEASE_SECONDS } from '../contract/sdk/protocol.ts'
import type { Random } from '../test/fuzz/random.ts'
import type { Answers } from './answers.ts'
import { outcomesOf, type Target, tryOnce } from './call.ts'
import { FLICKERING, type Flicker, READY, STEADY } from './flows.ts'
import { DrillPage, type PageAnswer } from './page.ts'
import type { DrillRequest } from './requests.ts'

export interface VisitorOptions {
  name: string
  targets: readonly Target[]
  token: string
  flicker: Flicker
  answers: Answers
  random: Random
}

const TIMEOUT_MS = 5_000
const PAUSE_MS = 50
/** A flow, from its first step to its end. `ease` is what the user answers. */
const walk = (ease: number) => [
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

/** One new user after the other goes through the steady flow, in two browsers of which one gets it. */
export class DrillVisitor {
  readonly #options: VisitorOptions
  #last = 0

  constructor(options: VisitorOptions) {
    this.#options = options
  }

  async act(): Promise<void> {
    const { name, targets, token, random, answers } = this.#options
    this.#last += 1
    const userId = `${name}-${this.#last}`
    const pages = ['a', 'b'].map((browser) => new DrillPage(targets, token, random, `${userId}-browser-${browser}`))
    const [first, second] = pages as [DrillPage, DrillPage]
    await this.#send({ method: 'POST', path: '/users', body: { id: userId }, pieces: [] }, `${userId}/create`)
    this.#expect('before the event', (await first.identify(userId)).body.decision, [])
    await second.identify(userId)
    await this.#track(userId)
    await this.#decide(first)
    const claims = await Promise.all(pages.map((page) => page.call('claim', { content: STEADY })))
    const winner = this.#winner(claims, userId)
    if (winner !== undefined) await this.#walk(pages[winner] as DrillPage, (claims[winner] as PageAnswer).body, userId)
    answers.retries += first.retries + second.retries
  }

  /** An event of the back end. Its mark is in the audit of all events. */
  async #track(userId: string): Promise<void> {
    const mark = `${userId}/ready`
    const body = { name: READY, user_id: userId, attributes: { mark } }
    const request: DrillRequest = {
      method: 'POST',
      path: '/events',
      body,
      pieces: [{ kind: 'event', mark, counter: userId }],
    }
    const [outcome] = outcomesOf(request, await this.#send(request, mark))
    this.#options.answers.settle({ kind: 'event', mark, counter: userId }, outcome ?? { kind: 'unknown' })
  }

  async #send(request: DrillRequest, key: string) {
    for (;;) {
      const { random, targets } = this.#options
      const answer = await tryOnce(random.pick(targets), request, key, TIMEOUT_MS)
      if (answer?.status === 200) return answer
      if (answer && answer.status !== 503) throw new Error(`${request.path}: ${answer.status} ${answer.text}`)
      await sleep(PAUSE_MS)
    }
  }

  /** Right at once, also on a node that was started a moment ago: the event counts, and so does every publication. */
  async #decide(page: DrillPage): Promise<void> {
    const { flicker, answers } = this.#options
    const { isPublished, changes } = flicker
    const { body } = await page.call('decide', {})
    const isSettled = isPublished !== undefined && flicker.changes === changes && flicker.isPublished === isPublished
    if (isSettled) this.#expect('after the event', body, isPublished ? [FLICKERING, STEADY] : [STEADY])
    else if (!keysOf(body).includes(STEADY)) answers.wrong.push(`a decision without ${STEADY}: ${JSON.stringify(body)}`)
    answers.flows.decisions += 1
  }

  #expect(when: string, decision: unknown, keys: readonly string[]): void {
    const found = keysOf(decision).toSorted()
    if (found.join() !== keys.join())
      this.#options.answers.wrong.push(`${when}: the decision has [${found.join()}] and not [${keys.join()}]`)
  }

  #winner(claims: readonly PageAnswer[], userId: string): number | undefined {
    const winners = claims.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    const isRefused = claims.every(({ status }) => status === 200 || status === 409 || status === 404)
    if (winners.length === 1 && isRefused) return winners[0]
    this.#options.answers.wrong.push(`${userId}: claims were answered ${JSON.stringify(claims).slice(0, 500)}`)
    return undefined
  }

  /** Each part is sent until it is acknowledged; what is acknowledged must be stored once. */
  async #walk(page: DrillPage, { id, epoch }: { id: string; epoch: number }, userId: string): Promise<void> {
    const { random, answers } = this.#options
    const ease = random.below(11)
    const begun = performance.now()
    for (const [index, reports] of walk(ease).entries()) {
      const { status, body } = await page.call('progress', { id, epoch, reports })
      const last = reports.at(-1)?.sequence ?? 0
      if (status !== 200 || body.sequence < last) {
        // After an outage the lease may be over; then only answers count.
        if (performance.now() - begun < LEASE_SECONDS * 1_000)
          answers.wrong.push(`${userId}: progress was answered ${status} ${JSON.stringify(body)}`)
        return
      }
      answers.flows.acknowledge(id, userId, last, index > 0 ? ease : undefined)
      if (index === 0) await this.#claimAnother(page, userId)
      // A browser that goes away in the middle; the rest is never sent.
      if (random.chance(0.1)) return
    }
  }

  /** The slot is taken by what is visible. */
  async #claimAnother(page: DrillPage, userId: string): Promise<void> {
    const { status } = await page.call('claim', { content: FLICKERING })
    if (status === 200) this.#options.answers.wrong.push(`${userId}: two flows are visible in one browser`)
  }
}

function keysOf(decision: unknown): string[] {
  return ((decision as { content?: { key: string }[] }).content ?? []).map(({ key }) => key)
}
