import type { AttributeInputs, Attributes } from '../../../contract/attributes.ts'
import { CONTENT_FORMAT } from '../../../contract/content/rendered.ts'
import {
  type IdentifyAnswer,
  type PageDecision,
  type PageInfo,
  PROTOCOL_VERSION,
} from '../../../contract/sdk/protocol.ts'
import type { Result } from '../methods.ts'
import { warnOnce } from '../safely.ts'
import { CallQueue } from '../server/call-queue.ts'
import { type Answer, type CallName, Calls, type CallTypes, failure } from '../server/calls.ts'
import { isDecision } from '../server/decision.ts'
import { browserId, holderId } from './browser-id.ts'

export interface Identity {
  /** Null: an anonymous visitor. */
  userId: string | null
  signature?: string
  token?: string
}

export interface VisitorEvents {
  /** Another person, or nobody: what is shown goes away. */
  changed(): void
  decided(decision: PageDecision): void
}

/** A call before `identify` waits for it, and is answered after this time all the same. */
export const EARLY_ANSWER_MS = 15_000

/** Who uses the page, and the calls in their name. */
export class Visitor {
  readonly #queue = new CallQueue()
  readonly #events: VisitorEvents
  readonly #page: () => PageInfo
  #identity: Identity | null = null
  #userId: string | null = null
  #calls: Calls
  /** Calls before the first `identify`, in their order. */
  #early: (() => void)[] = []

  constructor(endpoint: string, token: string, events: VisitorEvents, page: () => PageInfo) {
    this.#calls = new Calls(endpoint, token)
    this.#events = events
    this.#page = page
  }

  /** The user's id as the server knows it; null before the first answer. */
  get userId(): string | null {
    return this.#userId
  }

  get calls(): Calls {
    return this.#calls
  }

  get isIdentified(): boolean {
    return this.#identity !== null
  }

  identify(identity: Identity, attributes: AttributeInputs): Promise<Result> {
    const isSame = this.#identity?.userId === identity.userId
    if (this.#identity && !isSame) this.#leave()
    this.#identity = identity
    const result = this.#queue.add(() => this.#identify(identity, attributes))
    for (const call of this.#early.splice(0)) call()
    return result
  }

  update(attributes: AttributeInputs): Promise<Result> {
    return this.after(async () => this.#written(await this.call('update', { attributes })))
  }

  group(id: string | null, attributes: AttributeInputs, membership: AttributeInputs): Promise<Result> {
    return this.after(async () => this.#written(await this.call('group', { group_id: id, attributes, membership })))
  }

  updateGroup(attributes: AttributeInputs, membership: AttributeInputs): Promise<Result> {
    return this.after(async () => this.#written(await this.call('update', { group: { attributes, membership } })))
  }

  track(name: string, attributes: Attributes, userOnly: boolean): Promise<Result> {
    return this.after(() => this.call('track', { name, attributes, ...(userOnly ? { user_only: true } : {}) }))
  }

  /** In the order of the other calls: a start after `identify` waits for it. */
  after(run: () => Promise<Answer<unknown>>): Promise<Result> {
    if (this.#identity) return this.#queue.add(run)
    return new Promise((resolve) => {
      this.#early.push(() => void this.#queue.add(run).then(resolve))
      setTimeout(() => resolve({ ok: false, problem: 'call identify first' }), EARLY_ANSWER_MS)
    })
  }

  reset(): void {
    this.#leave()
    this.#identity = null
    this.#early = []
  }

  /** A call with the visitor token. When that has expired, the page identifies itself again, once. */
  async call<Name extends CallName>(name: Name, body: CallTypes[Name][0]): Promise<Answer<CallTypes[Name][1]>> {
    const identity = this.#identity
    if (!identity) return failure(401, 'not_identified', 'call identify first')
    const calls = this.#calls
    const answer = await calls.call(name, body)
    if (answer.ok || answer.status !== 401 || calls !== this.#calls) return answer
    const again = await this.#identify(identity, {})
    return again.ok ? await calls.call(name, body) : (again as Answer<CallTypes[Name][1]>)
  }

  async #identify(identity: Identity, attributes: AttributeInputs): Promise<Answer<IdentifyAnswer>> {
    const { userId, signature, token } = identity
    const calls = this.#calls
    const answer = await calls.call('identify', {
      // The id of an anonymous visitor is made of it, so it has to stay.
      browser_id: userId === null ? browserId() : holderId(),
      protocol: PROTOCOL_VERSION,
      format: CONTENT_FORMAT,
      page: this.#page(),
      ...(userId === null ? {} : { user_id: userId }),
      ...(Object.keys(attributes).length > 0 ? { attributes } : {}),
      ...(signature === undefined ? {} : { signature }),
      ...(token === undefined ? {} : { token }),
    })
    // Somebody else was identified meanwhile: this answer is not for them.
    if (calls !== this.#calls) return answer
    if (!answer.ok) return answer
    calls.visitor = answer.data.visitor
    this.#userId = answer.data.user_id
    this.#noteIgnored(answer.data.ignored)
    if (isDecision(answer.data.decision)) this.#events.decided(answer.data.decision)
    return answer
  }

  #written<T extends CallTypes['group'][1]>(answer: Answer<T>): Answer<T> {
    if (!answer.ok) return answer
    this.#calls.visitor = answer.data.visitor ?? this.#calls.visitor
    this.#noteIgnored(answer.data.ignored)
    if (isDecision(answer.data.decision)) this.#events.decided(answer.data.decision)
    return answer
  }

  #noteIgnored(ignored: unknown): void {
    if (!Array.isArray(ignored)) return
    for (const { name, reason } of ignored) warnOnce(`${JSON.stringify(name)} was left out: ${reason}`)
  }

  #leave(): void {
    this.#events.changed()
    this.#queue.clear()
    this.#userId = null
    this.#calls = new Calls(this.#calls.endpoint, this.#calls.token)
  }
}
