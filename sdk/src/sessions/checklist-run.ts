import type { RenderedChecklist, RenderedTask } from '../../../contract/content/rendered.ts'
import { type ChecklistState, type ChecklistWidget, showChecklist } from '../widgets/checklist.ts'
import type { WidgetHost } from '../widgets/host.ts'
import { Removals } from './removals.ts'
import type { Session } from './session.ts'
import type { Run, Stage } from './stage.ts'

export { showChecklist }

/** A checklist on the screen. Tasks once completed stay so. */
export class ChecklistRun implements Run {
  readonly slot = 'checklist'
  readonly session: Session
  readonly #content: RenderedChecklist
  readonly #stage: Stage
  readonly #done: Set<string>
  readonly #removals = new Removals()
  #widget: ChecklistWidget
  #isOpen: boolean
  #isCompleted: boolean
  #isOver = false

  constructor(session: Session, stage: Stage) {
    this.session = session
    this.#stage = stage
    this.#content = session.claim.document as RenderedChecklist
    this.#isCompleted = session.claim.progress?.completed ?? false
    this.#isOpen = this.#content.starts_open
    this.#done = new Set(this.#content.tasks.filter((task) => task.completed).map((task) => task.key))
    this.#widget = this.#draw()
    session.report({ type: 'shown' })
    stage.emit('started', { checklist: { id: this.#content.id } })
    this.changed()
  }

  /** Tasks that the server knows to be done. */
  learn(tasks: readonly string[]): void {
    for (const key of tasks) this.#done.add(key)
    this.changed()
  }

  changed(): void {
    if (this.#isOver) return
    if (!this.#widget.host.isConnected) {
      if (!this.#removals.mayReturn()) return
      this.#widget.remove()
      this.#widget = this.#draw()
    }
    for (const task of this.#visible()) {
      const isMet = task.complete_when !== null && this.#stage.holds(task.complete_when, this.session)
      if (isMet && !this.#done.has(task.key)) this.#complete(task.key)
    }
    const state = this.#state()
    this.#widget.update(state)
    this.#widget.settle()
    const isAll = state.tasks.length > 0 && state.tasks.every((task) => this.#done.has(task.key))
    if (isAll) this.#completed()
  }

  acted(): void {}

  tick(): void {}

  flush(): void {}

  remove(): void {
    this.#isOver = true
    this.#widget.remove()
  }

  end(): void {
    this.#end('api')
  }

  #draw(): ChecklistWidget {
    const { link, follow, around, perform } = this.#stage
    const host: WidgetHost = {
      act: (actions) => {
        perform(actions, this.session)
        const way = actions.find((action) => 'end' in action)
        if (way?.end === 'completed') this.#completed()
        if (way) this.#end('button')
      },
      answer: () => {},
      close: () => this.#end('close_button'),
      task: (key) => this.#clicked(key),
      toggled: (isOpen) => this.#toggled(isOpen),
      link,
      follow,
    }
    return showChecklist(this.#content, this.#state(), host, around)
  }

  #state(): ChecklistState {
    // A copy: the widget compares what was done when it was drawn with what is done now.
    return { tasks: this.#visible(), done: new Set(this.#done), isOpen: this.#isOpen }
  }

  #visible(): RenderedTask[] {
    return this.#content.tasks.filter(
      ({ visible_when }) => visible_when === null || this.#stage.holds(visible_when, this.session),
    )
  }

  #clicked(key: string): void {
    const task = this.#content.tasks.find((one) => one.key === key)
    if (!task) return
    this.session.report({ type: 'task_clicked', task: key })
    if (task.complete_when === null && !this.#done.has(key)) this.#complete(key)
    this.changed()
  }

  #complete(key: string): void {
    this.#done.add(key)
    this.session.report({ type: 'task_completed', task: key })
  }

  #completed(): void {
    if (this.#isCompleted) return
    this.#isCompleted = true
    this.session.report({ type: 'completed' })
    this.#stage.emit('completed', { checklist: { id: this.#content.id } })
  }

  #toggled(isOpen: boolean): void {
    this.#isOpen = isOpen
    this.session.report({ type: isOpen ? 'shown' : 'hidden' })
  }

  #end(reason: 'close_button' | 'button' | 'api'): void {
    if (this.#isOver) return
    this.remove()
    this.session.report({ type: 'ended', reason })
    this.session.end()
    this.#stage.over(this)
  }
}
