import type { ContentType } from '../../../contract/content/document.ts'
import type { DecidedContent } from '../../../contract/content/rendered.ts'
import type { Claim, PageDecision } from '../../../contract/sdk/protocol.ts'
import { look } from '../page/find.ts'
import { safely } from '../safely.ts'
import { backoff } from '../server/backoff.ts'
import { isPassing } from '../server/calls.ts'
import { isDecision } from '../server/decision.ts'
import { asksForElements, waitsForElements } from './candidates.ts'
import { Claims } from './claims.ts'
import { HIDE_AFTER_MS, monotonicNow } from './lease.ts'
import { loadPart } from './parts.ts'
import type { Run } from './stage.ts'
import { placeOf, placeOfRun } from './wishes.ts'

/** How often a page asks whether a session that another browser shows is free. The end of a lease is no change that is told. */
const ELSEWHERE_MS = 5_000
const TICK_MS = 1_000
/** A turn that came only after this time may find a changed world: the server is asked again. */
const STALE_MS = 500
/** One that came before this time finds the page as it was. */
const SAME_MS = 50
const SLOTS: readonly ContentType[] = ['flow', 'checklist', 'banner', 'launcher']

/**
 * Decides, in the page, what is shown: looks at the page, asks the server again, and keeps one thing per slot on the screen.
 * What is asked for is in `claims.ts`.
 */
export class Engine extends Claims {
  #decision: PageDecision | null = null
  #decidedAt = 0
  #lookedAt = 0
  #deciding: Promise<void> | null = null
  /** Changes when all that was asked for before does not count any more. */
  #era = {}
  #timer: ReturnType<typeof setInterval> | undefined
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined

  protected arrived(afterMs: number): void {
    if (afterMs > STALE_MS) void this.decide()
    else this.changed(afterMs < SAME_MS)
  }

  get #shown(): readonly Run[] {
    return [...this.runs.shown.values()]
  }

  /** `kept`: whose sessions the server knew when it was asked. Not known of the answers to `identify`, `update` and `group`. */
  readonly decided = safely((decision: PageDecision, kept: readonly Run[] = []) => {
    this.#decision = decision
    this.#decidedAt = monotonicNow()
    this.offers.keep(decision.content)
    for (const run of this.runs.live) this.#learn(run, decision, kept.includes(run))
    this.changed()
  })

  /** Asks the server again. One request at a time. */
  decide(): Promise<void> {
    if (this.#deciding) return this.#deciding
    const asked = this.#decide().finally(() => {
      if (this.#deciding === asked) this.#deciding = null
    })
    this.#deciding = asked
    return asked
  }

  /** A decision that is under way may not know what has just happened. */
  async decideAnew(): Promise<void> {
    await this.#deciding
    await this.decide()
  }

  /** Something in the page may have changed. */
  readonly changed = safely((isSame?: boolean) => this.#look(isSame))

  readonly glanced = safely(() => {
    for (const run of this.#shown) run.glance?.()
  })

  readonly acted = safely((event: Event) => {
    for (const run of this.#shown) run.acted(event)
  })

  #look(isSame?: boolean): void {
    const isWhole = look(() => {
      // Nobody sees a tab behind, which is looked at when it comes to the front, or a frame without a size.
      const isSeen = document.visibilityState === 'visible' && innerWidth > 0
      for (const run of isSeen ? this.#shown : []) run.changed()
      const needed = isSeen ? SLOTS.flatMap((slot) => this.fill(slot, this.#decision)) : []
      // Another tab does not go on with what is over, of which the server may not know.
      for (const run of this.runs.untold) needed.push(placeOfRun(run))
      this.turns.keep((place) => this.has(place) || needed.includes(place))
    }, isSame)
    if (!isWhole) this.page.poke()
    this.page.observe(this.#needsElements())
    this.#keepTime()
  }

  /** Every second, while something may change by time alone. */
  tick(): void {
    // After `document.write` the listeners of the document are gone. Adding one twice changes nothing.
    this.page.listen()
    const isVisible = document.visibilityState === 'visible'
    if (isVisible) this.#wake()
    for (const run of this.#shown) run.session.tick(isVisible)
    this.changed()
    for (const run of this.runs.live) run.tick()
    if (!isVisible) return
    this.tellMissing(this.#decision?.content ?? [])
    // While decisions fail, the next one comes by itself.
    const isElsewhere = !this.#failures && this.#decision?.sessions.some(({ held }) => held === 'elsewhere')
    if (isElsewhere && monotonicNow() - this.#decidedAt >= ELSEWHERE_MS) void this.decide()
  }

  /** A tab that has slept or was behind knows only what was so before: nothing begins by that. */
  #wake(): void {
    const now = monotonicNow()
    const isOld = now - Math.max(this.#lookedAt, this.#decidedAt) >= HIDE_AFTER_MS
    this.#lookedAt = now
    if (!this.#decision || !isOld) return
    this.#decision = null
    void this.decide()
  }

  /** The tab came to the front, or went behind. */
  turned(): void {
    this.turns.turned()
    this.#safeTick()
  }

  /** Shows what was started by hand, unless it was ended meanwhile. */
  async started(claim: Claim, sentAt: number, isEnded: () => boolean): Promise<void> {
    const slot = claim.document.type
    const replaced = this.yield(placeOf(slot, claim.content_id))
    if (replaced && replaced.session.id !== claim.id) this.#tellEnd(replaced)
    await this.begin(claim, sentAt, isEnded)
    // While a part that draws it was loaded.
    if (isEnded()) this.endAll([slot])
    this.page.poke()
  }

  endAll(slots: readonly ContentType[]): void {
    for (const run of this.runs.live) if (slots.includes(run.slot)) run.end()
  }

  /** The page is being left, perhaps to come back from the cache of the browser, or its user is somebody else now. */
  leave(): void {
    this.#drop('leave')
  }

  /** All content was switched off: nothing is shown until a decision says otherwise. */
  takeDown(): void {
    this.#drop('end')
  }

  #drop(end: 'leave' | 'end'): void {
    for (const run of this.runs.all) {
      run.flush()
      run.session[end]()
      run.remove()
    }
    this.#forget()
  }

  /** A page on which nothing is shown or waits has no timer. */
  #keepTime(): void {
    const { content = [], sessions = [] } = this.#decision ?? {}
    const isNeeded = this.runs.live.length + this.asking.size + sessions.length > 0 || content.some(this.#isNear)
    if (isNeeded) this.#timer ??= setInterval(this.#safeTick, TICK_MS)
    else {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  readonly #safeTick = safely(() => this.tick())

  /** Content of other pages waits for a navigation, which is told, unless an element is a part of where it belongs. */
  readonly #isNear = ({ id, where }: DecidedContent) => !where || asksForElements(where) || this.page.holds(where, id)

  #forget(): void {
    this.#era = {}
    this.#deciding = null
    this.#decision = null
    this.clear()
    this.turns.keep(() => false)
    this.page.observe(false)
    this.#keepTime()
  }

  async #decide(): Promise<void> {
    if (!this.visitor.isIdentified) return
    const era = this.#era
    const { calls } = this.visitor
    const { visitor } = calls
    const kept = this.runs.live.filter(({ session }) => session.isKept)
    const answer = await this.visitor.call('decide', {})
    if (era !== this.#era) return
    if (answer.ok && isDecision(answer.data)) {
      this.#failures = 0
      // Unless `group` has got a newer one meanwhile.
      if (answer.data.visitor && calls.visitor === visitor) calls.visitor = answer.data.visitor
      this.decided(answer.data, kept)
    } else if (answer.ok || isPassing(answer)) {
      clearTimeout(this.#retry)
      const pause = Math.max(backoff(this.#failures++), answer.ok ? 0 : answer.retryAfterMs)
      this.#retry = setTimeout(() => void this.decide(), pause)
    }
  }

  #learn(run: Run, { sessions }: PageDecision, isKept: boolean): void {
    const now = sessions.find(({ id }) => id === run.session.id)
    if (now) {
      run.session.isListed = true
      if (now.outcomes?.length > 0) run.session.outcomes = now.outcomes
      else if (run.session.outcomes.length > 0) void this.#refresh(run).catch(() => {})
      run.learn?.(now.tasks ?? [])
    }
    const isGone = !now && (isKept || run.session.isListed)
    if (isGone || (now?.held === 'elsewhere' && this.runs.isShown(run))) this.lose(run, isGone)
  }

  /** However it has ended. */
  #tellEnd({ slot, session }: Run): void {
    if (slot === 'flow' || slot === 'checklist')
      this.stage.emit(`${slot}Ended`, { [slot]: { id: session.claim.content_id } })
  }

  /** A decision without the outcomes of a session: its document, handed out again, has them. */
  async #refresh(run: Run): Promise<void> {
    const { readOutcomes } = await loadPart('seldom')
    if (this.runs.isShown(run)) await readOutcomes(run, this.visitor)
  }

  protected over(run: Run): void {
    this.#tellEnd(run)
    this.#remove(run)
    this.leaveUntold(run)
    this.page.forgetClicks(run.session.claim.content_id)
    this.runs.untold.add(run)
    void this.#tell(run)
  }

  /** What was shown may open or close the gates of something else. A decision that was asked for before does not know it. */
  async #tell(run: Run): Promise<void> {
    await run.session.acknowledged()
    await this.decideAnew()
    this.runs.untold.delete(run)
    this.changed()
  }

  /** It has ended elsewhere, or another browser shows it now, or we cannot be sure that none does. */
  protected lose(run: Run, isEnded?: boolean): void {
    run.flush()
    run.remove()
    if (isEnded) this.#tellEnd(run)
    this.#remove(run)
    this.leaveUntold(run)
    setTimeout(() => void this.decide(), 1_000)
  }

  protected park(run: Run): void {
    this.#remove(run)
    if (run.isSeen) this.runs.parked.add(run)
    else {
      run.remove()
      this.leaveUntold(run)
    }
    void run.session.release()
  }

  /** Another tab of this browser is in front and goes on, or something else was started by hand. */
  protected yield(place: string): Run | undefined {
    const run = this.runs.shown.get(place)
    run?.flush()
    run?.remove()
    run?.session.end()
    this.runs.shown.delete(place)
    return run
  }

  /** The next look lets go of the turn. */
  #remove(run: Run): void {
    this.runs.parked.delete(run)
    if (this.runs.isShown(run)) this.runs.shown.delete(placeOfRun(run))
  }

  #needsElements(): boolean {
    const isWaiting = this.#decision?.content.some((one) => waitsForElements(one) && this.#isNear(one))
    return isWaiting || this.runs.live.length > 0
  }
}
