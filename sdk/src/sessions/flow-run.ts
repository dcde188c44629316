import type { Action } from '../../../contract/content/document.ts'
import type { RenderedFlow, RenderedStep } from '../../../contract/content/rendered.ts'
import { type AnswerValue, type EndReason, SLOT_SECONDS } from '../../../contract/sdk/protocol.ts'
import { type Found, find, isThere, UNKNOWN } from '../page/find.ts'
import { scrollTo } from '../page/scroll.ts'
import { safely } from '../safely.ts'
import type { QuestionPart } from '../widgets/blocks.ts'
import type { WidgetHost } from '../widgets/host.ts'
import { progressOf, type StepWidget, showStep } from '../widgets/show.ts'
import { nextWay, stepOf, type Way, wayOfActions, wayOfAdvances } from './flow-state.ts'
import { monotonicNow } from './lease.ts'
import { Removals } from './removals.ts'
import type { ReportBody } from './reports.ts'
import type { Session } from './session.ts'
import type { Run, Stage } from './stage.ts'

/** A target that is replaced, as by a framework that draws anew, is away for a moment. The tooltip stays meanwhile. */
const GRACE_MS = 400
const PARK_AFTER_MS = SLOT_SECONDS * 1000

/** One user's run through a flow, on this page. */
export class FlowRun implements Run {
  readonly slot = 'flow'
  session: Session
  readonly #flow: RenderedFlow
  readonly #stage: Stage
  readonly #questions: QuestionPart | null
  readonly #answers: Map<string, AnswerValue>
  readonly #host: WidgetHost
  /** The visible steps before this one, for the way back. */
  readonly #seen: string[] = []
  readonly #removals = new Removals()
  readonly #happened = new Set<'target_click' | 'target_input'>()
  #step: RenderedStep
  #reported: string | null
  #widget: StepWidget | null = null
  #target: Element | null = null
  #enteredAt = 0
  /** Since when nothing is on the screen; null while something is. */
  #hiddenSince: number | null = 0
  #lostAt: number | null = null
  #isMissingTold = false
  #isExpected = false
  #isParked = false
  /** As it was last told. */
  #isVisible = false
  #isOver = false

  constructor(session: Session, stage: Stage, questions: QuestionPart | null) {
    this.session = session
    this.#stage = stage
    this.#questions = questions
    this.#flow = session.claim.document as RenderedFlow
    const { progress } = session.claim
    this.#answers = new Map(Object.entries(progress?.answers ?? {}))
    this.#reported = progress?.step ?? null
    this.#step = stepOf(this.#flow, this.#reported) ?? (this.#flow.steps[0] as RenderedStep)
    this.#host = {
      act: safely((actions) => this.#act(actions)),
      answer: (question, value) => this.#answer(question, value),
      close: safely((reason) => this.#end(reason, 'dismissed')),
      link: stage.link,
      follow: stage.follow,
    }
    this.#enter(this.#step, false)
  }

  get isSeen(): boolean {
    return this.#reported !== null
  }

  changed(): void {
    if (this.#isOver || this.#isParked) return
    if (this.#widget && !this.#widget.host.isConnected) {
      if (!this.#removals.mayReturn()) return
      this.#redraw()
    }
    const way = this.#wayOn()
    if (way) this.#go(way, 'advance')
    else if (this.#step.type === 'tooltip') this.#followTarget()
    else if (this.#step.type === 'dialog' && !this.#widget) this.#show(null)
    this.#widget?.settle()
  }

  /** A target that comes and goes is seen each time that it is there, however seldom the page is looked at. */
  glance(): void {
    if (this.#widget && this.#lostAt !== null) this.#followTarget()
  }

  acted(event: Event): void {
    const { target } = this.#step
    if (!target || !this.#widget) return
    const path = event.composedPath()
    const name = event.type === 'click' ? 'target_click' : 'target_input'
    // A framework may have drawn the target anew since we looked. It is not searched at every key that is pressed.
    const isAtTarget =
      path.includes(this.#target as Element) ||
      (this.#step.advance.some(({ on }) => on === name) && path.includes(find(target.locators).element as Element))
    if (!isAtTarget) return
    this.#happened.add(name)
    // Before the page goes elsewhere because of this very click. What the user types into keeps the focus.
    this.#isExpected = event.type === 'click' && !(path[0] as Element).matches(':read-write')
    this.changed()
  }

  tick(): void {
    if (this.#isOver) return
    const now = monotonicNow()
    const { timeout } = this.#step
    if (timeout && now - this.#enteredAt >= timeout.after_ms) this.#timedOut(timeout.to)
    if (this.#hiddenSince === null || this.#isParked || this.#isOver) return
    if (now - this.#hiddenSince >= PARK_AFTER_MS) {
      this.#isParked = true
      this.#stage.parked(this)
    }
  }

  #timedOut(key: string): void {
    const to = stepOf(this.#flow, key)
    if (to) this.#go({ to }, 'timeout')
    else this.#end('timeout', 'dismissed')
  }

  flush(): void {
    this.#widget?.flush()
    // The next page goes on at the step that was entered, also when there was no time to show it.
    if (this.#reported !== null && this.#reported !== this.#step.key && !this.#isOver) this.#reportSeen(undefined)
  }

  remove(): void {
    this.#isOver = true
    this.#hide()
  }

  end(): void {
    this.#end('api', 'dismissed')
  }

  wantsBack(): boolean {
    if (this.#step.type === 'hidden') return this.#wayOn() !== null
    return this.#step.target === null || find(this.#step.target.locators).element !== null
  }

  resume(session: Session): void {
    this.session = session
    this.#isParked = false
    this.#hiddenSince = monotonicNow()
    this.changed()
  }

  #enter(step: RenderedStep, isExpected: boolean): void {
    this.#hide()
    this.#step = step
    this.#happened.clear()
    this.#enteredAt = monotonicNow()
    this.#lostAt = null
    this.#isMissingTold = false
    this.#isExpected = isExpected
    // A hidden step is where the flow is, once the flow has been seen.
    if (step.type === 'hidden' && this.#reported !== null) this.#reportSeen(undefined)
    this.changed()
  }

  /** Advances of a visible step count from when it is on the screen. */
  #wayOn(): Way | null {
    if (this.#step.type !== 'hidden' && !this.#widget && this.#happened.size === 0) return null
    return wayOfAdvances(this.#flow, this.#step, this.#happened, (one) => this.#stage.holds(one, this.session))
  }

  #followTarget(): void {
    const { target } = this.#step
    if (!target) return
    // The element that was found stays the target while it is there.
    if (this.#widget && this.#target && isThere(this.#target)) {
      this.#lostAt = null
      return
    }
    const found = find(target.locators)
    if (found.element) this.#reached(found.element, found.locator)
    else if (found !== UNKNOWN) this.#missed(found, target.timeout_ms, target.on_missing)
  }

  #reached(element: Element, locator: string): void {
    this.#lostAt = null
    if (this.#widget && element !== this.#target) this.#widget.moveTo?.(element)
    this.#target = element
    if (this.#widget) return
    scrollTo(element, this.#stage.around)
    this.#show(element, locator)
  }

  #missed(found: Extract<Found, { element: null }>, timeoutMs: number, onMissing: string): void {
    const now = monotonicNow()
    this.#lostAt ??= now
    if (this.#widget && this.#target && now - this.#lostAt >= GRACE_MS) this.#hide()
    if (this.#widget || now - Math.max(this.#lostAt, this.#enteredAt) < timeoutMs) return
    if (!this.#isMissingTold) {
      this.#isMissingTold = true
      this.session.report({ type: 'target_missing', step: this.#step.key, matches: found.matches })
      this.#stage.emit('missing', { flow: { id: this.#flow.id }, step: { key: this.#step.key } })
    }
    if (onMissing === 'center') this.#show(null)
    else if (onMissing === 'skip') this.#go(nextWay(this.#flow, this.#step), 'target_missing')
    else if (onMissing === 'end') this.#end('target_missing', 'dismissed')
  }

  #show(target: Element | null, locator?: string): void {
    const view = {
      content: this.#flow,
      step: this.#step,
      target,
      progress: progressOf(this.#flow, this.#step),
      isExpected: this.#isExpected,
      answers: this.#answers,
    }
    this.#widget = showStep(view, this.#host, this.#stage.around, this.#questions)
    this.#target = target
    this.#hiddenSince = null
    // Clicks that its conditions ask about count from now on.
    this.#wayOn()
    this.#tellVisible(true)
    if (this.#reported !== this.#step.key) this.#reportSeen(locator)
  }

  /** The page has replaced its document, and with it the listeners of everything that was in it. */
  #redraw(): void {
    this.#isExpected = false
    const target = this.#target
    if (target && !isThere(target)) this.#hide()
    else {
      this.#widget?.flush()
      this.#widget?.remove()
      this.#show(target)
    }
  }

  /** What is drawn again in its place was visible all the time. */
  #tellVisible(visible: boolean): void {
    if (this.#isVisible !== visible) this.#stage.emit('flowvisibilitychange', { visible })
    this.#isVisible = visible
  }

  #reportSeen(locator: string | undefined): void {
    const isFirst = this.#reported === null
    this.#reported = this.#step.key
    const { id, key } = this.#step
    this.session.report({ type: 'step_seen', step: key, locator } as ReportBody)
    const detail = { flow: { id: this.#flow.id }, step: { id, key } }
    if (isFirst) this.#stage.emit('started', detail)
    this.#stage.emit('stepSeen', detail)
  }

  #hide(): void {
    if (!this.#widget) {
      this.#hiddenSince ??= monotonicNow()
      return
    }
    this.#widget.flush()
    this.#widget.remove()
    this.#widget = null
    this.#target = null
    this.#hiddenSince = monotonicNow()
    this.#tellVisible(false)
  }

  #act(actions: readonly Action[]): void {
    const way = wayOfActions(this.#flow, this.#step, this.#seen, actions)
    this.#stage.perform(actions, this.session)
    if (!way) return
    if ('to' in way && actions.some((action) => 'previous' in action)) {
      this.#seen.pop()
      this.#enter(way.to, true)
    } else {
      this.#isExpected = true
      this.#go(way, 'button')
    }
  }

  #go(way: Way, reason: EndReason): void {
    if (this.#isOver) return
    if ('end' in way) this.#end(reason, way.end)
    else {
      if (this.#step.type !== 'hidden') this.#seen.push(this.#step.key)
      this.#enter(way.to, this.#isExpected)
    }
  }

  #answer(question: string, value: AnswerValue): void {
    this.#answers.set(question, value)
    this.session.report({ type: 'answered', question, value })
  }

  #end(reason: EndReason, kind: 'completed' | 'dismissed'): void {
    if (this.#isOver) return
    this.#hide()
    this.#isOver = true
    if (kind === 'completed') {
      this.session.report({ type: 'completed' })
      this.#stage.emit('completed', { flow: { id: this.#flow.id } })
    }
    this.session.report({ type: 'ended', reason })
    this.session.end()
    this.#stage.over(this)
  }
}
