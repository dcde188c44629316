import type { AttributeInputs, Attributes } from '../../../contract/attributes.ts'
import { CONTENT_FORMAT } from '../../../contract/content/rendered.ts'
import {
  type IdentifyAnswer,
  type IdentifyRequest,
  type PageDecision,
  type PageInfo,
  PROTOCOL_VERSION,
  type TrackRequest,
} from '../../../contract/sdk/protocol.ts'
import type { Result } from '../methods.ts'
import { warnOnce } from '../safely.ts'
import { ANSWER_AFTER_MS, CallQueue } from '../server/call-queue.ts'
import { type Answer, type CallName, Calls, type CallTypes, failure } from '../server/calls.ts'
import { isDecision } from '../server/decision.ts'
import { browserId, holderId, newId } from './browser-id.ts'

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

/** Who uses the page, and the calls in their name. */
export class Visitor {
  readonly #queue = new CallQueue()
  readonly #events: VisitorEvents
  readonly #page: () => PageInfo
  #identity: Identity | null = null
  #userId: string | null = null
  /** The group that the page has named, which `identify` does not know; undefined before it has named one. */
  #groupId: string | null | undefined
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
    const tries = {}
    const result = this.#queue.add(() => this.#identify(identity, attributes, keyed(tries)))
    for (const call of this.#early.splice(0)) call()
    return result
  }

  update(attributes: AttributeInputs): Promise<Result> {
    return this.#write('update', { attributes })
  }

  group(id: string | null, attributes: AttributeInputs, membership: AttributeInputs): Promise<Result> {
    return this.#write('group', { group_id: id, attributes, membership })
  }

  updateGroup(attributes: AttributeInputs, membership: AttributeInputs): Promise<Result> {
    return this.#write('update', { group: { attributes, membership } })
  }

  track(name: string, attributes: Attributes, userOnly: boolean): Promise<Result> {
    const body: TrackRequest = { name, attributes, ...(userOnly ? { user_only: true } : {}) }
    return this.after(() => this.call('track', keyed(body)), this.#leaving('track', body))
  }

  /** In the order of the other calls: a start after `identify` waits for it. */
  after(run: () => Promise<Answer<unknown>>, leave?: () => void): Promise<Result> {
    if (this.#identity) return this.#queue.add(run, leave)
    return new Promise((resolve) => {
      this.#early.push(() => void this.#queue.add(run, leave).then(resolve))
      setTimeout(() => resolve({ ok: false, problem: 'call identify first' }), ANSWER_AFTER_MS)
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

  async #identify(identity: Identity, attributes: AttributeInputs, more = {}): Promise<Answer<IdentifyAnswer>> {
    const { userId, signature, token } = identity
    const calls = this.#calls
    const answer = await calls.call('identify', {
      // The id of an anonymous visitor is made of it, so it has to stay.
      browser_id: userId === null ? browserId() : holderId(),
      protocol: PROTOCOL_VERSION,
      format: CONTENT_FORMAT,
      page: this.#page(),
      // Those that are undefined are not written.
      user_id: userId ?? undefined,
      attributes: Object.keys(attributes).length > 0 ? attributes : undefined,
      signature,
      token,
      ...more,
    } as IdentifyRequest)
    if (calls !== this.#calls || !answer.ok) return answer
    this.#userId = answer.data.user_id
    calls.visitor = answer.data.visitor
    const group_id = this.#groupId
    const grouped = group_id === undefined ? answer : await calls.call('group', { group_id })
    this.#written(calls, grouped.ok ? grouped : answer)
    return answer
  }

  /** The page or its user leaves: what was to be written is sent at once, unless nobody is identified yet. */
  leave(): void {
    if (this.#calls.visitor) this.#queue.leave()
  }

  #leaving<Name extends CallName>(name: Name, body: CallTypes[Name][0]): () => void {
    return () => this.#calls.leave(name, body)
  }

  #write<Name extends 'group' | 'update'>(name: Name, body: CallTypes[Name][0]): Promise<Result> {
    const write = async () => {
      const calls = this.#calls
      const answer = await this.call(name, keyed(body))
      this.#written(calls, answer)
      if (calls === this.#calls && answer.ok && 'group_id' in body) this.#groupId = body.group_id
      return answer
    }
    return this.after(write, this.#leaving(name, body))
  }

  /** Somebody else may have been identified meanwhile: then the answer is not for them. */
  #written(calls: Calls, answer: Answer<CallTypes['group'][1]>): void {
    if (calls !== this.#calls || !answer.ok) return
    calls.visitor = answer.data.visitor ?? calls.visitor
    this.#noteIgnored(answer.data.ignored)
    if (isDecision(answer.data.decision)) this.#events.decided(answer.data.decision)
  }

  #noteIgnored(ignored: unknown): void {
    if (!Array.isArray(ignored)) return
    for (const { name, reason } of ignored) warnOnce(`${JSON.stringify(name)} was left out: ${reason}`)
  }

  #leave(): void {
    this.leave()
    this.#events.changed()
    this.#queue.clear()
    this.#userId = null
    this.#groupId = undefined
    this.#calls = new Calls(this.#calls.endpoint, this.#calls.token)
  }
}

/** From its first try on a call has a key: an answer that gets lost makes it count once all the same. */
function keyed<Body extends { key?: string }>(body: Body): Body {
  body.key ??= newId()
  return body
}
