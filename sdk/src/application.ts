import type { AttributeInputs, Attributes } from '../../contract/attributes.ts'
import type { ContentType } from '../../contract/content/document.ts'
import type { PageDecision } from '../../contract/sdk/protocol.ts'
import { readKept } from './edit/kept.ts'
import { cleanAttributes } from './identity/attributes.ts'
import { forgetBrowser, isForgetting, storedId } from './identity/browser-id.ts'
import { type Identity, Visitor } from './identity/visitor.ts'
import { Listeners } from './listeners.ts'
import type { WorkingMethod } from './method-table.ts'
import type { Result, Usher, UsherEvent, UsherListener } from './methods.ts'
import { Page } from './page/page.ts'
import { safely, tellErrors } from './safely.ts'
import { LEFT, WAS_RESET } from './server/call-queue.ts'
import { type Answer, type Calls, failure, setLeaveOut } from './server/calls.ts'
import { EarlyCalls, refuse } from './server/early-calls.ts'
import type { Stream } from './server/stream.ts'
import { Actions } from './sessions/actions.ts'
import { Engine } from './sessions/engine.ts'
import { monotonicNow } from './sessions/lease.ts'
import { loadPart, setVerifier, type Verify } from './sessions/parts.ts'
import { Settings } from './settings.ts'

export interface ApplicationOptions {
  /** The address of the loader; null in the npm package, where `init` must name the endpoint. */
  base: string | null
  /** The one-time token of edit mode, which was in the address. */
  editToken: string | null
  verify: Verify
}

/** The methods behind the object of the page. */
export class Application extends Settings implements Pick<Usher, WorkingMethod> {
  readonly #base: string | null
  readonly #listeners = new Listeners()
  readonly #page: Page
  protected readonly actions: Actions
  #visitor: Visitor | null = null
  #engine: Engine | null = null
  #stream: Stream | null = null
  /** For whom the stream is open, or being opened. */
  #streamOf: Calls | null = null
  #isStreamLeft = false
  /** Another tab has forgotten the user. The next one may be there already, whom this tab must not make it forget. */
  #isResetElsewhere = false
  /** The id of the browser when the page was left. */
  #leftId: string | null = null
  /** A tab that a member opened from the editor shows a draft or the picker, and nothing that is decided. */
  #isEditing: boolean
  readonly #editToken: string | null
  /** Starts that are not on the screen yet, each with the slots that were ended meanwhile. */
  readonly #starting = new Set<Set<ContentType>>()
  readonly #early = new EarlyCalls('call init first')

  constructor({ base, editToken, verify }: ApplicationOptions) {
    super()
    this.#base = base
    this.#editToken = editToken
    this.#isEditing = editToken !== null || readKept() !== null
    setVerifier(verify)
    setLeaveOut(async (...words) => (await loadPart('seldom')).leaveOut(...words))
    this.#page = new Page(this.rules, {
      changed: () => this.#engine?.changed(),
      glanced: () => this.#engine?.glanced(),
      acted: (event) => this.#engine?.acted(event),
    })
    this.actions = new Actions({
      visitor: () => this.#visitor,
      start: (content, session) => void this.#start(content, { from_session: session }),
    })
    this.#listen()
  }

  init(token: string, options?: { endpoint?: string | URL }): void {
    if (this.#visitor) return
    const endpoint = options?.endpoint ?? this.endpoint ?? (this.#base ? new URL('..', this.#base).href : null)
    if (!endpoint) {
      const problem = 'init needs { endpoint }, the address of your Usher'
      console.warn(`usher: ${problem}`)
      this.#early.refuse(problem, true)
      return
    }
    const visitor = new Visitor(
      `${endpoint}`.replace(/\/+$/, ''),
      String(token),
      { changed: () => this.#changed(), decided: (decision) => this.#decided(decision) },
      this.#page.info,
    )
    this.#visitor = visitor
    tellErrors((message) => visitor.calls.leave('error', { message: message.slice(0, 300) }))
    if (this.#isEditing) void this.#edit(visitor)
    else this.#engine = this.#newEngine(visitor)
    this.#early.carryOut()
  }

  #newEngine(visitor: Visitor): Engine {
    return new Engine(visitor, this.#page, {
      around: this.around,
      holds: (condition, { claim, outcomes }) => this.#page.holds(condition, claim.content_id, outcomes),
      link: this.actions.link,
      follow: this.actions.follow,
      perform: this.actions.perform,
      emit: this.#listeners.emit,
    })
  }

  async #edit(visitor: Visitor): Promise<void> {
    const ended = () => {
      this.#isEditing = false
      this.#engine ??= this.#newEngine(visitor)
      if (this.isIdentified()) void this.#engine.decide()
    }
    try {
      const { startEditMode } = await loadPart('edit-mode')
      const parts = {
        calls: visitor.calls,
        page: this.#page,
        around: this.around,
        inference: this.inference,
        loadPart,
      }
      await startEditMode({ ...parts, link: this.actions.link }, this.#editToken, ended)
    } catch (error) {
      console.warn('usher:', error)
      ended()
    }
  }

  async load(): Promise<Result> {
    return { ok: true }
  }

  identify(
    userId: string,
    attributes?: AttributeInputs,
    options: { signature?: string; token?: string } = {},
  ): Promise<Result> {
    // Nothing, or the number of nothing, is no other user: the one before stays.
    if (!(typeof userId === 'string' ? userId : Number.isFinite(userId)))
      return refuse('identify needs the id of a user')
    const identity: Identity = { user_id: String(userId) }
    for (const proof of ['signature', 'token'] as const)
      if (typeof options?.[proof] === 'string') identity[proof] = options[proof]
    // Now: the page may change its object before `init`.
    const clean = cleanAttributes(attributes)
    return this.#ready((visitor) => visitor.identify(identity, clean))
  }

  identifyAnonymous(attributes?: AttributeInputs): Promise<Result> {
    const clean = cleanAttributes(attributes)
    return this.#ready((visitor) => visitor.identify({}, clean))
  }

  updateUser(attributes: AttributeInputs): Promise<Result> {
    const clean = cleanAttributes(attributes)
    return this.#ready((visitor) => visitor.update(clean))
  }

  group(
    groupId: string | null,
    attributes?: AttributeInputs,
    options: { membership?: AttributeInputs } = {},
  ): Promise<Result> {
    const id = groupId === null || groupId === undefined ? null : String(groupId)
    const clean = [cleanAttributes(attributes), cleanAttributes(options?.membership)] as const
    return this.#ready(async (visitor) => {
      const result = await visitor.group(id, ...clean)
      if (result.ok) this.#stream?.restart()
      return result
    })
  }

  updateGroup(attributes: AttributeInputs, options: { membership?: AttributeInputs } = {}): Promise<Result> {
    const clean = [cleanAttributes(attributes), cleanAttributes(options?.membership)] as const
    return this.#ready((visitor) => visitor.updateGroup(...clean))
  }

  track(name: string, attributes?: Attributes, options: { userOnly?: boolean } = {}): Promise<Result> {
    if (typeof name !== 'string' || name === '') return refuse('track needs the name of an event')
    const clean = cleanAttributes(attributes) as Attributes
    return this.#ready((visitor) => visitor.track(name, clean, options?.userOnly === true))
  }

  start(content: string, options: { once?: boolean } = {}): Promise<Result> {
    return this.#start(String(content), options?.once ? { once: true } : {})
  }

  endAll(): Promise<Result> {
    return this.#end('flow', 'checklist', 'banner', 'launcher')
  }

  endChecklist(): Promise<Result> {
    return this.#end('checklist')
  }

  isIdentified(): boolean {
    return this.#visitor?.isIdentified ?? false
  }

  reset(): void {
    const tells = this.isIdentified() || !this.#isResetElsewhere
    this.#early.refuse(WAS_RESET)
    this.#visitor?.reset()
    forgetBrowser(tells)
  }

  remount(): void {
    this.#listen()
    this.#page.listen()
    this.#engine?.changed()
  }

  on(event: UsherEvent, listener: UsherListener): void {
    this.#listeners.add(event, listener)
  }

  off(event: UsherEvent, listener: UsherListener): void {
    this.#listeners.remove(event, listener)
  }

  protected poke(): void {
    this.#page.poke()
  }

  #ready(call: (visitor: Visitor) => Promise<Result>): Promise<Result> {
    return this.#visitor ? call(this.#visitor) : this.#early.add(() => this.#ready(call))
  }

  async #start(content: string, options: { once?: boolean; from_session?: string }): Promise<Result> {
    if (this.#isEditing) return await refuse('this tab is in edit mode')
    const ended = new Set<ContentType>()
    this.#starting.add(ended)
    const start = async (visitor: Visitor): Promise<Answer<unknown>> => {
      // `endAll` ends whatever it is.
      if (ended.has('flow')) return WAS_ENDED
      const sentAt = monotonicNow()
      const { calls } = visitor
      const answer = await visitor.call('start', { content, ...options })
      if (!answer.ok) return answer
      // It was handed out to somebody who has left meanwhile.
      if (calls !== visitor.calls) return LEFT
      const isEnded = () => ended.has(answer.data.document.type)
      await this.#engine?.started(answer.data, sentAt, isEnded)
      return isEnded() ? WAS_ENDED : answer
    }
    const result = await this.#ready((visitor) => visitor.after(() => start(visitor)))
    this.#starting.delete(ended)
    return result
  }

  /** Also what was started and is not on the screen yet. */
  async #end(...slots: ContentType[]): Promise<Result> {
    for (const ended of this.#starting) for (const slot of slots) ended.add(slot)
    this.#engine?.endAll(slots)
    return { ok: true }
  }

  #decided(decision: PageDecision): void {
    // After `document.write` the listeners are gone. Adding one twice changes nothing.
    this.#listen()
    this.#page.listen()
    this.#engine?.decided(decision)
    if (decision.stream) void this.#openStream()
  }

  /** Its file comes after the first decision. One that cannot be loaded is asked for again with the next decision. */
  async #openStream(): Promise<void> {
    const { userId, calls } = this.#visitor as Visitor
    if (userId === null || this.#streamOf === calls) return
    this.#streamOf = calls
    const decidedAt = performance.now()
    const part = await loadPart('stream').catch(() => null)
    if (this.#streamOf !== calls) return
    if (part) this.#stream = new part.Stream(calls, userId, () => this.#engine, decidedAt)
    else this.#streamOf = null
  }

  #endStream(): void {
    this.#streamOf = null
    this.#stream?.end()
    this.#stream = null
  }

  /** Another person, or nobody. */
  #changed(): void {
    this.#endStream()
    this.#engine?.leave()
    this.#page.forgetClicks()
  }

  #listen(): void {
    window.addEventListener('pagehide', this.#leave)
    window.addEventListener('pageshow', this.#back)
    window.addEventListener('storage', this.#followReset)
    document.addEventListener('visibilitychange', this.#turned)
    // A tab behind stands still in some browsers, until it is in front again.
    document.addEventListener('freeze', this.#leave)
    document.addEventListener('resume', this.#back)
  }

  /** A page that holds a lock or a connection is not kept by browsers for the way back. */
  readonly #leave = safely(() => {
    this.#engine?.leave()
    this.#visitor?.leave()
    // A page that is kept for the way back is left first, and then stands still.
    this.#isStreamLeft ||= this.#streamOf !== null
    this.#leftId = storedId()
    this.#endStream()
  })

  /** From the cache of the browser: as if loaded anew. */
  readonly #back = (event: Event) => {
    if ((event as Partial<PageTransitionEvent>).persisted === false) return
    if (storedId() !== this.#leftId) this.#followReset()
    else if (this.#isStreamLeft) void this.#openStream()
    this.#isStreamLeft = false
    void this.#engine?.decide()
  }

  /** Another tab has forgotten the user, as at a sign-out: nothing of theirs is shown or told here any more. */
  readonly #followReset = safely((event?: StorageEvent) => {
    if (!this.isIdentified() || (event && !isForgetting(event))) return
    this.#isResetElsewhere = true
    this.#visitor?.reset(true)
    forgetBrowser(false)
  })

  readonly #turned = safely(() => {
    this.#engine?.turned()
    if (document.visibilityState === 'visible' && this.isIdentified()) void this.#engine?.decide()
  })
}

const WAS_ENDED = failure(409, 'ended', 'it was ended before it was shown')
