import type { ContentType } from '../../../contract/content/document.ts'
import type { DecidedContent } from '../../../contract/content/rendered.ts'
import type { Claim, PageDecision } from '../../../contract/sdk/protocol.ts'
import type { Visitor } from '../identity/visitor.ts'
import type { Page } from '../page/page.ts'
import { type Answer, isPassing } from '../server/calls.ts'
import { Candidates } from './candidates.ts'
import { loadRun } from './draw.ts'
import { monotonicNow } from './lease.ts'
import { loadPart } from './parts.ts'
import { Runs } from './runs.ts'
import { Session } from './session.ts'
import type { Run, Stage } from './stage.ts'
import { TurnBook } from './turn-book.ts'
import { claimBody, keyOf, keyOfContent, placeOf, placeOfRun, type Wish } from './wishes.ts'

/** How long a content that could not be claimed is left alone. */
const LEFT_ALONE_MS = 15_000

/** Asks the server for what fits into the places that are free, one thing for each place, and begins its run. */
export abstract class Claims {
  protected readonly visitor: Visitor
  protected readonly page: Page
  protected readonly stage: Stage
  protected readonly turns: TurnBook
  protected readonly runs = new Runs()
  protected readonly offers = new Candidates()
  /** What is being asked for in each place. A start by hand takes the place of a claim that is under way. */
  protected readonly asking = new Map<string, object>()
  readonly #leftAlone = new Map<string, number>()

  constructor(visitor: Visitor, page: Page, stage: Omit<Stage, 'over' | 'parked'>) {
    this.visitor = visitor
    this.page = page
    this.stage = { ...stage, over: (run) => this.over(run), parked: (run) => this.park(run) }
    this.turns = new TurnBook(
      (place) => this.yield(place),
      (afterMs) => this.arrived(afterMs),
    )
  }

  protected abstract over(run: Run): void
  protected abstract park(run: Run): void
  /** A session must not be shown any more. */
  protected abstract lose(run: Run, isEnded?: boolean): void
  /** The place is for something else, or for another tab. */
  protected abstract yield(place: string): Run | undefined
  /** A turn came, so long after it was asked for. */
  protected abstract arrived(afterMs: number): void
  abstract decide(): Promise<void>

  /** Whether something is shown in the place or asked for. */
  protected has(place: string): boolean {
    return this.runs.shown.has(place) || this.asking.has(place)
  }

  protected clear(): void {
    this.runs.clear()
    this.asking.clear()
    this.#leftAlone.clear()
    this.offers.keep([])
  }

  /** Claims what fits into the places of a slot that are free, and returns these places. */
  protected fill(slot: ContentType, decision: PageDecision | null): string[] {
    const places: string[] = []
    for (const wish of this.#wishes(slot, decision)) {
      const { place } = wish
      const isLeftAlone = (this.#leftAlone.get(keyOf(wish)) ?? 0) > monotonicNow()
      if (this.has(place) || places.includes(place) || isLeftAlone) continue
      if (!this.turns.has(place)) this.turns.request(place, this.visitor.userId ?? '')
      else this.#claim(wish)
      places.push(place)
    }
    return places
  }

  /** Shows what was started by hand, unless it was ended meanwhile. */
  protected async begin(claim: Claim, sentAt: number, isEnded: () => boolean): Promise<void> {
    const place = placeOf(claim.document.type, claim.content_id)
    await this.#ask(place, async (counts) => {
      const turn = await this.turns.take(place, this.visitor.userId ?? '')
      if (!counts()) return
      if (isEnded()) void this.#giveUp(claim)
      else if (turn) await this.#begin(claim, sentAt, place, counts)
    })
  }

  /** Tells of first targets that stay away. */
  protected tellMissing(contents: readonly DecidedContent[]): void {
    for (const content of contents) {
      const place = placeOf(content.slot, content.id)
      const isFree = !this.has(place) && !this.runs.hasContent(content.id)
      if (isFree && this.offers.isMissing(content, monotonicNow()))
        // Nothing else is claimed in its place meanwhile: its release would end that, too.
        void this.#ask(place, async () => {
          const { reportMissing } = await loadPart('seldom')
          await reportMissing(content, this.visitor, this.page, this.stage)
        }).catch(() => {})
    }
  }

  /** A claim of which the server has heard nothing leaves no trace: it would be offered again at once. */
  protected leaveUntold({ session: { claim, isKept } }: Run): void {
    if (!isKept) this.#leaveAlone(keyOfContent(claim.content_id, claim.version_id), LEFT_ALONE_MS)
  }

  /** In the order in which they count. Explicit starts do not wait here. */
  *#wishes(slot: ContentType, decision: PageDecision | null): Iterable<Wish> {
    for (const run of this.runs.parked)
      if (run.slot === slot && run.wantsBack?.()) yield { kind: 'return', slot, run, place: placeOfRun(run) }
    if (!decision) return
    const known = new Set(this.runs.all.map((run) => run.session.id))
    for (const session of decision.sessions) {
      if (session.slot !== slot || session.held === 'elsewhere' || known.has(session.id)) continue
      yield { kind: 'resume', slot, session, place: placeOf(slot, session.content_id) }
    }
    for (const content of decision.content) {
      if (content.slot === slot && this.#isReady(content))
        yield { kind: 'begin', slot, content, place: placeOf(slot, content.id) }
    }
  }

  #isReady(content: DecidedContent): boolean {
    return this.offers.isReady(content, { ...this.page, now: monotonicNow }, this.runs.hasContent(content.id))
  }

  #giveUp({ id, epoch }: Claim): Promise<unknown> {
    return this.visitor.call('release', { id, epoch })
  }

  /** `work` is told whether it still counts: the user may be another one, or something else be asked for. */
  async #ask(place: string, work: (counts: () => boolean) => Promise<void>): Promise<void> {
    const own = {}
    const counts = () => this.asking.get(place) === own
    this.asking.set(place, own)
    try {
      await work(counts)
    } finally {
      if (counts()) this.asking.delete(place)
    }
  }

  #claim(wish: Wish): void {
    this.#ask(wish.place, async (counts) => {
      // A release that arrived after the claim would end it.
      if (wish.kind === 'return') await wish.run.session.release()
      const sentAt = monotonicNow()
      const answer = await this.visitor.call('claim', claimBody(wish))
      if (!counts()) return
      if (!answer.ok) this.#refused(wish, answer)
      else if (wish.kind === 'return') this.#resume(wish.run, wish.place, answer.data, sentAt)
      // The page may be another one meanwhile. A release that arrived after the next claim would end that.
      else if (wish.kind === 'begin' && !this.#isReady(wish.content)) await this.#giveUp(answer.data)
      else await this.#begin(answer.data, sentAt, wish.place, counts)
    }).catch(() => this.#leaveAlone(keyOf(wish), LEFT_ALONE_MS))
  }

  #resume(run: Run, place: string, claim: Claim, sentAt: number): void {
    const { shown, parked } = this.runs
    if (!parked.delete(run)) return
    shown.set(place, run)
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
    if (!counts() || !this.turns.has(place) || this.runs.shown.has(place)) return
    if (!claim.progress) this.page.forgetClicks(claim.content_id)
    run = begin(session, this.stage)
    // Its first step may have led to its end at once.
    if (!this.runs.untold.has(run)) this.runs.shown.set(place, run)
    this.page.observe(true)
    // Later: it was drawn in this task.
    this.page.poke()
  }

  #session(claim: Claim, sentAt: number, run: () => Run | null): Session {
    return new Session(claim, sentAt, this.visitor, this.page.info, (isEnded) => {
      const lost = run()
      if (lost) this.lose(lost, isEnded)
    })
  }

  /** Another version is live, or somebody else shows it: a new decision says more. Otherwise it is left alone for a while. */
  #refused(wish: Wish, answer: Extract<Answer<Claim>, { ok: false }>): void {
    const isOld = answer.status === 409 && answer.code === 'version_changed'
    this.#leaveAlone(keyOf(wish), isOld ? 1_000 : Math.max(LEFT_ALONE_MS, answer.retryAfterMs))
    this.turns.release(wish.place)
    if (wish.kind === 'return' && !isPassing(answer)) this.runs.parked.delete(wish.run)
    if (answer.status === 409 || answer.status === 404) setTimeout(() => void this.decide(), isOld ? 0 : LEFT_ALONE_MS)
  }

  #leaveAlone(key: string, ms: number): void {
    this.#leftAlone.set(key, monotonicNow() + ms)
  }
}
