import { LEASE_SECONDS, PROTOCOL_VERSION } from '../../contract/sdk/protocol.ts'
import { userId } from '../traffic.ts'
import type { CallName, Calls } from './calls.ts'

/** How often a page that has nothing else to do asks whether it may show something. */
const CLAIM_SHARE = 0.1

const STEPS: readonly (readonly object[])[] = [
  [{ sequence: 1, type: 'step_seen', step: 'hello' }],
  [{ sequence: 2, type: 'step_seen', step: 'more' }],
  [
    { sequence: 3, type: 'completed' },
    { sequence: 4, type: 'ended', reason: 'button' },
  ],
]

interface HeldFlow {
  id: string
  epoch: number
  step: number
  claimedAt: number
}

/**
 * One browser of one user: it identifies, decides again and again, and now and then claims a flow, renews it and goes through
 * its steps. Each call of `act` is one call of the page.
 */
export class Browser {
  readonly #calls: Calls
  readonly #userId: string
  readonly #browserId: string
  readonly #address: string
  #visitor = ''
  #held: HeldFlow | undefined
  #isBusy = false

  constructor(calls: Calls, number: number) {
    this.#calls = calls
    this.#userId = userId(number)
    this.#browserId = `browser-${number}`
    // An address of its own: each has a limit.
    this.#address = `2001:db8:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`
  }

  /** A browser waits for the answer before it makes its next call. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  async act(dueAt: number): Promise<void> {
    this.#isBusy = true
    try {
      if (this.#visitor === '') await this.#identify(dueAt)
      else if (this.#held) await this.#goOn(dueAt, this.#held)
      else if (Math.random() < CLAIM_SHARE) await this.#claim(dueAt)
      else await this.#call('decide', {}, dueAt)
    } finally {
      this.#isBusy = false
    }
  }

  async #identify(dueAt: number): Promise<void> {
    const body = { user_id: this.#userId, browser_id: this.#browserId, protocol: PROTOCOL_VERSION }
    this.#visitor = (await this.#call('identify', body, dueAt))?.visitor ?? ''
  }

  async #claim(dueAt: number): Promise<void> {
    const claim = await this.#call('claim', { content: 'tour-0' }, dueAt)
    if (claim?.id) this.#held = { id: claim.id, epoch: claim.epoch, step: 0, claimedAt: performance.now() }
  }

  /** Every other call renews the lease, as a page does that shows a step for a while. */
  async #goOn(dueAt: number, held: HeldFlow): Promise<void> {
    const { id, epoch } = held
    if (performance.now() - held.claimedAt > LEASE_SECONDS * 1_000) this.#held = undefined
    else if (Math.random() < 0.5) await this.#call('renew', { id, epoch }, dueAt)
    else {
      await this.#call('progress', { id, epoch, reports: STEPS[held.step] }, dueAt)
      held.step += 1
      if (held.step === STEPS.length) this.#held = undefined
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: each call has an answer of its own form
  async #call(name: CallName, body: object, dueAt: number): Promise<any> {
    return await this.#calls.post(name, body, { visitor: this.#visitor, address: this.#address }, dueAt)
  }
}
