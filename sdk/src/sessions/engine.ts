import type { ContentType } from '../../../contract/content/document.ts'
import type { DecidedContent } from '../../../contract/content/rendered.ts'
import type { Claim, PageDecision } from '../../../contract/sdk/protocol.ts'
import type { Visitor } from '../identity/visitor.ts'
import { look } from '../page/find.ts'
import type { Page } from '../page/page.ts'
import { safely } from '../safely.ts'
import { backoff } from '../server/backoff.ts'
import { type Answer, isPassing } from '../server/calls.ts'
import { isDecision } from '../server/decision.ts'
import { asksForElements, Candidates, waitsForElements } from './candidates.ts'
import { loadRun } from './draw.ts'
import { HIDE_AFTER_MS, monotonicNow } from './lease.ts'
import { loadPart } from './parts.ts'
import { Session } from './session.ts'
import type { Run, Stage } from './stage.ts'
import { TurnBook } from './turn-book.ts'
import { claimBody, keyOf, keyOfContent, placeOf, placeOfRun, type Wish } from './wishes.ts'

/** How long a content that could not be claimed is left alone. */
const LEFT_ALONE_MS = 15_000
/** How often a page asks whether a session that another browser shows is free. The end of a lease is no change that is told. */
const ELSEWHERE_MS = 5_000
const TICK_MS = 1_000
/** A turn that came only after this time may find a changed world: the server is asked again. */
const STALE_MS = 500
/** One that came before this time finds the page as it was. */
const SAME_MS = 50
const SLOTS: readonly ContentType[] = ['flow', 'checklist', 'banner', 'launcher']

/**
 * Decides, in the page, what is shown: resumes sessions before it begins new ones, claims the first of a slot that fits the page,
 * and keeps one thing per slot on the screen.
 */
export class Engine {
  readonly #visitor: Visitor
  readonly #page: Page
  readonly #stage: Stage
  readonly #candidates = new Candidates()
  readonly #turns: TurnBook
  readonly #runs = new Map<string, Run>()
  readonly #parked = new Set<Run>()
  /** Runs that are over while the server may not know it. */
  readonly #untold = new Set<Run>()
  /** What is being asked for in each place. A start by hand takes the place of a claim that is under way. */
  readonly #asking = new Map<string, object>()
  readonly #leftAlone = new Map<string, number>()
  #decision: PageDecision | null = null
  #decidedAt = 0
  #lookedAt = 0
  #deciding: Promise<void> | null = null
  /** Changes when all that was asked for before does not count any more. */
  #era = {}
  #timer: ReturnType<typeof setInterval> | undefined
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(visitor: Visitor, page: Page, stage: Omit<Stage, 'over' | 'parked'>) {
    this.#visitor = visitor
    this.#page = page
    this.#stage = { ...stage, over: (run) => this.#over(run), parked: (run) => this.#park(run) }
    this.#turns = new TurnBook(
      (place) => this.#yielded(place),
      (afterMs) => (afterMs > STALE_MS ? void this.decide() : this.changed(afterMs < SAME_MS)),
    )
  }

  get runs(): readonly Run[] {
    return [...this.#runs.values()]
  }

  /** Also those that are not on the screen. The decision may still offer what they show. */
  get #all(): readonly Run[] {
    return [...this.runs, ...this.#parked, ...this.#untold]
  }

  readonly decided = safely((decision: PageDecision) => {
    this.#decision = decision
    this.#decidedAt = monotonicNow()
    for (const run of [...this.runs, ...this.#parked]) this.#learn(run, decision)
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
    for (const run of this.runs) run.glance?.()
  })

  readonly acted = safely((event: Event) => {
    for (const run of this.runs) run.acted(event)
  })

  #look(isSame?: boolean): void {
    const isWhole = look(() => {
      for (const run of this.runs) run.changed()
      const wished = document.visibilityState === 'visible' ? SLOTS.flatMap((slot) => this.#fill(slot)) : []
      this.#turns.keep((place) => this.#runs.has(place) || this.#asking.has(place) || wished.includes(place))
    }, isSame)
    if (!isWhole) this.#page.poke()
    this.#page.observe(this.#needsElements())
    this.#keepTime()
  }

  /** Every second, while something may change by time alone. */
  tick(): void {
    // After `document.write` the listeners of the document are gone. Adding one twice changes nothing.
    this.#page.listen()
    const isVisible = document.visibilityState === 'visible'
    if (isVisible) this.#wake()
    for (const run of this.runs) run.session.tick(isVisible)
    this.changed()
    for (const run of [...this.runs, ...this.#parked]) run.tick()
    if (!isVisible) return
    this.#tellMissing()
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
    this.#turns.turned()
    this.#safeTick()
  }

  /** Shows what was started by hand, unless it was ended meanwhile. */
  async started(claim: Claim, sentAt: number, isEnded: () => boolean): Promise<void> {
    const slot = claim.document.type
    const place = placeOf(slot, claim.content_id)
    this.#drop(place)
    await this.#ask(place, async (counts) => {
      const turn = await this.#turns.take(place, this.#visitor.userId ?? '')
      if (!counts()) return
      if (isEnded()) void this.#visitor.call('release', { id: claim.id, epoch: claim.epoch })
      else if (turn) await this.#begin(claim, sentAt, place, counts)
      // While a part that draws it was loaded.
      if (isEnded()) this.endAll([slot])
    })
    this.#page.poke()
  }

  endAll(slots: readonly ContentType[]): void {
    for (const run of [...this.runs, ...this.#parked]) if (slots.includes(run.slot)) run.end()
  }

  settle(): void {
    for (const run of this.runs) run.settle()
  }

  /** The page is being left, perhaps to come back from the cache of the browser, or its user is somebody else now. */
  leave(): void {
    for (const run of this.#all) {
      run.flush()
      run.session.leave()
      run.remove()
    }
    this.#forget()
  }

  /** All content was switched off: nothing is shown until a decision says otherwise. */
  takeDown(): void {
    for (const run of [...this.runs, ...this.#parked]) {
      run.flush()
      run.session.end()
      run.remove()
    }
    this.#forget()
  }

  /** A page on which nothing is shown or waits has no timer. */
  #keepTime(): void {
    const { content = [], sessions = [] } = this.#decision ?? {}
    const isNeeded =
      this.#runs.size + this.#parked.size + this.#asking.size + sessions.length > 0 || content.some(this.#isNear)
    if (isNeeded) this.#timer ??= setInterval(this.#safeTick, TICK_MS)
    else {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }

  readonly #safeTick = safely(() => this.tick())

  /** Content of other pages waits for a navigation, which is told, unless an element is a part of where it belongs. */
  readonly #isNear = ({ id, where }: DecidedContent) => !where || asksForElements(where) || this.#page.holds(where, id)

  #forget(): void {
    this.#era = {}
    this.#deciding = null
    this.#decision = null
    this.#runs.clear()
    this.#parked.clear()
    this.#untold.clear()
    this.#asking.clear()
    this.#leftAlone.clear()
    this.#turns.releaseAll()
    this.#page.observe(false)
    this.#keepTime()
  }

  async #decide(): Promise<void> {
    if (!this.#visitor.isIdentified) return
    const era = this.#era
    const { calls } = this.#visitor
    const { visitor } = calls
    const answer = await this.#visitor.call('decide', {})
    if (era !== this.#era) return
    if (answer.ok && isDecision(answer.data)) {
      this.#failures = 0
      // Unless `group` has got a newer one meanwhile.
      if (answer.data.visitor && calls.visitor === visitor) calls.visitor = answer.data.visitor
      this.decided(answer.data)
    } else if (answer.ok || isPassing(answer)) {
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => void this.decide(), backoff(this.#failures++))
    }
  }

  #learn(run: Run, { sessions }: PageDecision): void {
    const now = sessions.find(({ id }) => id === run.session.id)
    if (now) {
      run.session.isListed = true
      if (now.outcomes?.length > 0) run.session.outcomes = now.outcomes
      else if (run.session.outcomes.length > 0) void this.#refresh(run)
      if ('learn' in run) (run.learn as (tasks: readonly string[]) => void)(now.tasks ?? [])
    }
    const isGone = !now && run.session.isListed
    if (isGone || (now?.held === 'elsewhere' && this.#runs.get(placeOfRun(run)) === run)) this.#lose(run)
  }

  #tellMissing(): void {
    for (const content of this.#decision?.content ?? []) {
      const place = placeOf(content.slot, content.id)
      const isFree = !this.#runs.has(place) && !this.#asking.has(place) && !this.#hasRun(content)
      if (isFree && this.#candidates.isMissing(content, monotonicNow()))
        // Nothing else is claimed in its place meanwhile: its release would end that, too.
        void this.#ask(place, async () => {
          const { reportMissing } = await loadPart('seldom')
          await reportMissing(content, this.#visitor, this.#page, this.#stage)
        }).catch(() => {})
    }
  }

  /** A decision without the outcomes of a session: its document, handed out again, has them. */
  async #refresh(run: Run): Promise<void> {
    const { content_id, version_id, id } = run.session.claim
    if (this.#runs.get(placeOfRun(run)) !== run) return
    const answer = await this.#visitor.call('claim', { content: content_id, version_id, session: id, reason: 'resume' })
    if (!answer.ok || answer.data.epoch !== run.session.claim.epoch) return
    run.session.outcomes = answer.data.document.outcomes ?? []
    run.changed()
  }

  /** Claims what fits into the places of a slot that are free, and returns these places. */
  #fill(slot: ContentType): string[] {
    const places: string[] = []
    for (const wish of this.#wishes(slot)) {
      const { place } = wish
      if (this.#runs.has(place) || this.#asking.has(place) || places.includes(place) || this.#isLeftAlone(wish))
        continue
      if (!this.#turns.has(place)) this.#turns.request(place, this.#visitor.userId ?? '')
      else this.#claim(wish)
      places.push(place)
    }
    return places
  }

  /** In the order in which they count. Explicit starts do not wait here. */
  *#wishes(slot: ContentType): Iterable<Wish> {
    const parked = [...this.#parked].filter((run) => run.slot === slot)
    for (const run of parked) if (run.wantsBack?.()) yield { kind: 'return', slot, run, place: placeOfRun(run) }
    if (!this.#decision) return
    const known = new Set(this.#all.map((run) => run.session.id))
    for (const session of this.#decision.sessions) {
      if (session.slot !== slot || session.held === 'elsewhere' || known.has(session.id)) continue
      yield { kind: 'resume', slot, session, place: placeOf(slot, session.content_id) }
    }
    const asked = { now: monotonicNow, holds: this.#page.holds, find: this.#page.find }
    for (const content of this.#decision.content) {
      if (content.slot === slot && !this.#hasRun(content) && this.#candidates.isReady(content, asked))
        yield { kind: 'begin', slot, content, place: placeOf(slot, content.id) }
    }
  }

  #hasRun({ id }: DecidedContent): boolean {
    return this.#all.some(({ session }) => session.claim.content_id === id)
  }

  /** `work` is told whether it still counts: the user may be another one, or something else be asked for. */
  async #ask(place: string, work: (counts: () => boolean) => Promise<void>): Promise<void> {
    const own = {}
    const counts = () => this.#asking.get(place) === own
    this.#asking.set(place, own)
    try {
      await work(counts)
    } finally {
      if (counts()) this.#asking.delete(place)
    }
  }

  #claim(wish: Wish): void {
    this.#ask(wish.place, async (counts) => {
      // A release that arrived after the claim would end it.
      if (wish.kind === 'return') await wish.run.session.release()
      const sentAt = monotonicNow()
      const answer = await this.#visitor.call('claim', claimBody(wish))
      if (!counts()) return
      if (!answer.ok) this.#refused(wish, answer)
      else if (wish.kind === 'return') this.#resume(wish.run, wish.place, answer.data, sentAt)
      else await this.#begin(answer.data, sentAt, wish.place, counts)
    }).catch(() => this.#leaveAlone(keyOf(wish), LEFT_ALONE_MS))
  }

  #resume(run: Run, place: string, claim: Claim, sentAt: number): void {
    if (!this.#parked.delete(run)) return
    this.#runs.set(place, run)
    run.resume?.(this.#session(claim, sentAt, () => run))
  }

  async #begin(claim: Claim, sentAt: number, place: string, counts: () => boolean): Promise<void> {
    let run: Run | null = null
    const session = this.#session(claim, sentAt, () => run)
    // A part that cannot be loaded: another tab or browser need not wait for the end of the lease.
    const begin = await loadRun(claim.document).catch((problem) => {
      void session.release()
      throw problem
    })
    if (!counts() || !this.#turns.has(place) || this.#runs.has(place)) return
    if (!claim.progress) this.#page.forgetClicks(claim.content_id)
    run = begin(session, this.#stage)
    // Its first step may have led to its end at once.
    if (!this.#untold.has(run)) this.#runs.set(place, run)
    this.#page.observe(true)
    // Later: it was drawn in this task.
    this.#page.poke()
  }

  #session(claim: Claim, sentAt: number, run: () => Run | null): Session {
    return new Session(claim, sentAt, this.#visitor, this.#page.info, () => {
      const lost = run()
      if (lost) this.#lose(lost)
    })
  }

  /** Another version is live, or somebody else shows it: a new decision says more. Otherwise it is left alone for a while. */
  #refused(wish: Wish, answer: Extract<Answer<Claim>, { ok: false }>): void {
    const isOld = answer.status === 409 && answer.code === 'version_changed'
    this.#leaveAlone(keyOf(wish), isOld ? 1_000 : Math.max(LEFT_ALONE_MS, answer.retryAfterMs))
    this.#turns.release(wish.place)
    if (wish.kind === 'return' && !isPassing(answer)) this.#parked.delete(wish.run)
    if (answer.status === 409 || answer.status === 404) setTimeout(() => void this.decide(), isOld ? 0 : LEFT_ALONE_MS)
  }

  #isLeftAlone(wish: Wish): boolean {
    return (this.#leftAlone.get(keyOf(wish)) ?? 0) > monotonicNow()
  }

  #over(run: Run): void {
    this.#remove(run)
    this.#leaveUnseen(run)
    this.#page.forgetClicks(run.session.claim.content_id)
    this.#untold.add(run)
    void this.#tell(run)
  }

  /** What was shown may open or close the gates of something else. A decision that was asked for before does not know it. */
  async #tell(run: Run): Promise<void> {
    await run.session.acknowledged()
    await this.decideAnew()
    this.#untold.delete(run)
    this.changed()
  }

  /** Another browser shows it now, or we cannot be sure that none does. */
  #lose(run: Run): void {
    run.flush()
    run.remove()
    this.#remove(run)
    setTimeout(() => void this.decide(), 1_000)
  }

  /** A claim of which nothing was ever seen leaves no trace: it would be offered again at once. */
  #leaveUnseen({ isSeen, session: { claim } }: Run): void {
    if (isSeen === false) this.#leaveAlone(keyOfContent(claim.content_id, claim.version_id), LEFT_ALONE_MS)
  }

  #leaveAlone(key: string, ms: number): void {
    this.#leftAlone.set(key, monotonicNow() + ms)
  }

  #park(run: Run): void {
    const place = placeOfRun(run)
    if (run.isSeen) this.#parked.add(run)
    else {
      run.remove()
      this.#leaveUnseen(run)
    }
    this.#runs.delete(place)
    this.#turns.release(place)
    void run.session.release()
  }

  /** Another tab of this browser is in front, and goes on. */
  #yielded(place: string): void {
    const run = this.#runs.get(place)
    if (!run) return
    run.flush()
    run.remove()
    run.session.end()
    this.#runs.delete(place)
  }

  #drop(place: string): void {
    const run = this.#runs.get(place)
    run?.remove()
    run?.session.end()
    this.#runs.delete(place)
  }

  #remove(run: Run): void {
    const place = placeOfRun(run)
    this.#parked.delete(run)
    if (this.#runs.get(place) !== run) return
    this.#runs.delete(place)
    this.#turns.release(place)
  }

  #needsElements(): boolean {
    const isWaiting = this.#decision?.content.some((one) => waitsForElements(one) && this.#isNear(one)) ?? false
    return this.#runs.size > 0 || this.#parked.size > 0 || isWaiting
  }
}
