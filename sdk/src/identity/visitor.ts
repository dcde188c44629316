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
import { CallQueue, LEFT, type Leave, WAS_RESET } from '../server/call-queue.ts'
import { type Answer, type CallName, Calls, type CallTypes } from '../server/calls.ts'
import { isDecision } from '../server/decision.ts'
import { EarlyCalls } from '../server/early-calls.ts'
import { browserId, holderId, newId } from './browser-id.ts'

/** Without `user_id`: an anonymous visitor. */
export type Identity = Partial<Pick<IdentifyRequest, 'user_id' | 'browser_id' | 'signature' | 'token'>>

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
  readonly #early = new EarlyCalls('call identify first')

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
    const isSame = this.#identity?.user_id === identity.user_id
    if (this.#identity && !isSame) this.#leave()
    this.#identity = identity
    // The id of an anonymous visitor is made of it, so it has to stay.
    identity.browser_id = identity.user_id === undefined ? browserId() : holderId()
    const calls = this.#calls
    const tries = {}
    // What waits behind it is told for this user, who may leave before it is answered. Nobody hears its answer when the page is left.
    const result = this.#queue.add(
      () => this.#identify(calls, identity, attributes, keyed(tries)),
      () => false,
    )
    this.#early.carryOut()
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
    return this.#write('track', body)
  }

  /** In the order of the other calls: a start after `identify` waits for it. */
  after(run: () => Promise<Answer<unknown>>, leave?: Leave): Promise<Result> {
    const call = () => this.#queue.add(run, leave)
    return this.#identity ? call() : this.#early.add(call)
  }

  /** `isElsewhere`: in another tab. What this one calls before it identifies somebody is for the user who has left. */
  reset(isElsewhere?: boolean): void {
    this.#leave()
    this.#identity = null
    this.#early.refuse(WAS_RESET, isElsewhere)
  }

  /**
   * A call with the visitor token. When that has expired, the page identifies itself again, once. `calls` of a user who has left
   * are made only with a token.
   */
  async call<Name extends CallName>(
    name: Name,
    body: CallTypes[Name][0],
    calls = this.#calls,
  ): Promise<Answer<CallTypes[Name][1]>> {
    const identity = calls === this.#calls && this.#identity
    if (!identity && !calls.visitor) return LEFT
    const answer = await calls.call(name, body)
    if (answer.ok || answer.status !== 401 || !identity || calls !== this.#calls) return answer
    const again = await this.#identify(calls, identity, {})
    return again.ok ? await calls.call(name, body) : (again as Answer<CallTypes[Name][1]>)
  }

  async #identify(
    calls: Calls,
    identity: Identity,
    attributes: AttributeInputs,
    more = {},
  ): Promise<Answer<IdentifyAnswer>> {
    const answer = await calls.call('identify', {
      ...identity,
      protocol: PROTOCOL_VERSION,
      format: CONTENT_FORMAT,
      page: this.#page(),
      // Undefined is not written.
      attributes: Object.keys(attributes).length > 0 ? attributes : undefined,
      ...more,
    } as IdentifyRequest)
    if (!answer.ok) return answer
    calls.visitor = answer.data.visitor
    if (calls !== this.#calls) return answer
    this.#userId = answer.data.user_id
    const group_id = this.#groupId
    const grouped = group_id === undefined ? answer : await calls.call('group', { group_id })
    this.#written(calls, grouped.ok ? grouped : answer)
    return answer
  }

  /** The page or its user leaves: what was to be written is sent at once, unless nobody is identified yet. */
  leave(): void {
    this.#queue.leave()
  }

  #write<Name extends 'group' | 'update' | 'track'>(name: Name, body: CallTypes[Name][0]): Promise<Result> {
    const calls = this.#calls
    const write = async () => {
      const answer = await this.call(name, keyed(body), calls)
      this.#written(calls, answer as Answer<Partial<CallTypes['group'][1]>>)
      if (calls === this.#calls && answer.ok && 'group_id' in body) this.#groupId = body.group_id
      return answer
    }
    return this.after(write, () => calls.leave(name, body))
  }

  /** Somebody else may have been identified meanwhile: then the answer is not for them. */
  #written(calls: Calls, answer: Answer<Partial<CallTypes['group'][1]>>): void {
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
