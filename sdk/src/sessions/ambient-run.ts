import type { ContentType } from '../../../contract/content/document.ts'
import type { RenderedBanner, RenderedLauncher } from '../../../contract/content/rendered.ts'
import { find, isThere } from '../page/find.ts'
import { showBanner } from '../widgets/banner.ts'
import type { QuestionPart } from '../widgets/blocks.ts'
import type { Widget, WidgetHost } from '../widgets/host.ts'
import { type LauncherWidget, showLauncher } from '../widgets/launcher.ts'
import { Removals } from './removals.ts'
import type { Session } from './session.ts'
import type { Run, Stage } from './stage.ts'

export { showBanner, showLauncher }

/** A banner or a launcher on the screen. */
export class AmbientRun implements Run {
  readonly slot: ContentType
  readonly session: Session
  readonly #content: RenderedBanner | RenderedLauncher
  readonly #stage: Stage
  readonly #part: QuestionPart | null
  readonly #removals = new Removals()
  #widget: Widget | LauncherWidget | null = null
  #target: Element | null = null
  /** Which one found the target. */
  #locator: string | undefined
  #isTold = false
  #isOver = false

  constructor(session: Session, stage: Stage, part: QuestionPart | null) {
    this.session = session
    this.#part = part
    this.#stage = stage
    this.#content = session.claim.document as RenderedBanner | RenderedLauncher
    this.slot = this.#content.type
    this.changed()
  }

  changed(): void {
    if (this.#isOver) return
    if (this.#widget && !this.#widget.host.isConnected) {
      if (!this.#removals.mayReturn()) return
      this.#forget()
    }
    if (this.#content.type === 'banner')
      this.#widget ??= showBanner(this.#content, this.#host(), this.#stage.around, this.#part)
    else this.#followTarget(this.#content)
    this.#widget?.settle()
    if (!this.#widget || this.#isTold) return
    this.#isTold = true
    this.session.report({ type: 'shown', ...(this.#locator === undefined ? {} : { locator: this.#locator }) })
    this.#stage.emit('started', { [this.#content.type]: { id: this.#content.id } })
  }

  acted(): void {}

  tick(): void {}

  flush(): void {}

  remove(): void {
    this.#isOver = true
    this.#widget?.remove()
  }

  end(): void {
    this.#end('api')
  }

  #followTarget(content: RenderedLauncher): void {
    // The element that was found stays the target while it is there.
    if (this.#target && isThere(this.#target)) return
    const found = find(content.target.locators)
    const { element } = found
    if (element === this.#target) return
    if (found.element) this.#locator = found.locator
    this.#target = element
    if (this.#widget) (this.#widget as LauncherWidget).moveTo(element)
    else if (element) this.#widget = showLauncher(content, element, this.#host(), this.#stage.around)
  }

  /** The page has replaced its document: it is drawn anew. */
  #forget(): void {
    this.#widget?.remove()
    this.#widget = null
    this.#target = null
  }

  #host(): WidgetHost {
    const { link, follow } = this.#stage
    return {
      act: (actions) => {
        if (this.#content.type === 'launcher') this.session.report({ type: 'activated' })
        this.#stage.perform(actions, this.session)
        const way = actions.find((action) => 'end' in action)
        if (way?.end === 'completed') this.#complete()
        if (way) this.#end('button')
      },
      answer: () => {},
      close: () => this.#end('close_button'),
      link,
      follow,
    }
  }

  #complete(): void {
    this.session.report({ type: 'completed' })
    this.#stage.emit('completed', { [this.#content.type]: { id: this.#content.id } })
  }

  #end(reason: 'close_button' | 'button' | 'api'): void {
    if (this.#isOver) return
    this.remove()
    this.session.report({ type: 'ended', reason })
    this.session.end()
    this.#stage.over(this)
  }
}
