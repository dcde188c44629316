import type { Action } from '../../../contract/content/document.ts'
import type { RenderedContent, RenderedFlow } from '../../../contract/content/rendered.ts'
import type { EditAnswer } from '../../../contract/sdk/edit.ts'
import { toJson } from '../json.ts'
import { find } from '../page/find.ts'
import type { showBanner } from '../widgets/banner.ts'
import type { QuestionPart } from '../widgets/blocks.ts'
import type { showChecklist } from '../widgets/checklist.ts'
import type { Surroundings, Widget, WidgetHost } from '../widgets/host.ts'
import type { showLauncher } from '../widgets/launcher.ts'
import { progressOf, showStep } from '../widgets/show.ts'
import { barButton, headRow } from './parts.ts'
import { countWords } from './picker-bar.ts'
import { receiptRow } from './receipt.ts'
import type { Surface } from './surface.ts'

const LOOK_MS = 500

type Shown = Pick<EditAnswer, 'content' | 'as'>

/** The parts of the script that draw what a flow without questions does not need. */
export interface Drawing {
  questions: QuestionPart
  showChecklist: typeof showChecklist
  showBanner: typeof showBanner
  showLauncher: typeof showLauncher
}

/**
 * Shows a draft in the page, marked as a preview, step by step. It has nothing to send with: no claim, no report, no event and
 * no attribute comes from here. Actions lead through the flow, and do nothing else.
 */
export class InPlacePreview {
  readonly #surface: Surface
  readonly #around: Surroundings
  readonly #drawing: Drawing
  readonly #host: WidgetHost
  readonly #end: () => void
  readonly #moved: (step: string) => void
  readonly #timer: ReturnType<typeof setInterval>
  #content: RenderedContent
  #receipt: HTMLElement | null
  #index: number
  #widget: Widget | null = null
  #target: Element | null = null
  #said = ''

  constructor(
    parts: { surface: Surface; around: Surroundings; drawing: Drawing; link(href: string): string | null },
    { content, as }: Shown,
    step: string | null,
    ends: { moved(step: string): void; end(): void },
  ) {
    this.#surface = parts.surface
    this.#around = parts.around
    this.#drawing = parts.drawing
    this.#content = content
    this.#receipt = as && receiptRow(as)
    this.#end = ends.end
    this.#moved = ends.moved
    this.#index = Math.max(0, this.#keys().indexOf(step ?? ''))
    this.#host = {
      act: (actions) => this.#act(actions),
      answer: () => {},
      close: () => this.#say('A user would have closed it here.'),
      task: (task) => this.#say(`A user would have clicked the task ${task}.`),
      link: parts.link,
      // A link of the preview leads nowhere.
      follow: () => true,
    }
    this.#timer = setInterval(() => this.#look(), LOOK_MS)
    this.#draw()
  }

  /** The draft was saved meanwhile. */
  show({ content, as }: Shown): void {
    this.#receipt = as && receiptRow(as)
    if (toJson(content) === toJson(this.#content)) {
      this.#drawBar()
      return
    }
    this.#content = content
    this.#go(Math.min(this.#index, Math.max(0, this.#keys().length - 1)))
  }

  remove(): void {
    clearInterval(this.#timer)
    this.#widget?.remove()
  }

  #keys(): string[] {
    return this.#content.type === 'flow' ? this.#content.steps.map(({ key }) => key) : []
  }

  #act(actions: readonly Action[]): void {
    const others = actions.filter((action) => !('next' in action || 'previous' in action || 'go_to' in action))
    for (const action of actions) {
      if ('next' in action) this.#go(this.#index + 1)
      else if ('previous' in action) this.#go(this.#index - 1)
      else if ('go_to' in action) this.#go(this.#keys().indexOf(action.go_to))
    }
    const names = others.map((action) => Object.keys(action)[0]).join(', ')
    if (names !== '') this.#say(`Not done in a preview: ${names}.`)
  }

  #go(index: number): void {
    const keys = this.#keys()
    if (index >= keys.length) {
      this.#say('The flow would be completed here.')
      return
    }
    this.#index = Math.max(0, index)
    if (keys.length > 0) this.#moved(keys[this.#index] as string)
    this.#said = ''
    this.#draw()
  }

  #draw(): void {
    this.#widget?.remove()
    this.#widget = null
    this.#target = null
    this.#look()
    this.#drawBar()
  }

  /** The page may have changed: the element of a step comes and goes. */
  #look(): void {
    const locators = this.#locators()
    const found = locators ? find(locators) : null
    const isMissing = found !== null && found.element === null
    const isThere = this.#widget !== null && (found === null || found.element === this.#target)
    if (isThere) {
      this.#widget?.settle()
      return
    }
    this.#widget?.remove()
    this.#target = found?.element ?? null
    this.#widget = isMissing ? null : this.#widgetOf(this.#target)
    // A modal dialog makes everything outside of it inert, also the bar.
    this.#surface.enter(this.#widget?.host.shadowRoot?.querySelector('dialog') ?? null)
    this.#say(isMissing ? missingWords(found.matches) : this.#widget ? '' : 'A hidden step: nothing is shown here.')
  }

  #locators(): readonly string[] | null {
    const content = this.#content
    if (content.type === 'launcher') return content.target.locators
    return content.type === 'flow' ? (content.steps[this.#index]?.target?.locators ?? null) : null
  }

  #widgetOf(target: Element | null): Widget | null {
    const content = this.#content
    if (content.type === 'banner')
      return this.#drawing.showBanner(content, this.#host, this.#around, this.#drawing.questions)
    if (content.type === 'launcher')
      return this.#drawing.showLauncher(content, target as Element, this.#host, this.#around)
    if (content.type === 'checklist') {
      const state = { tasks: content.tasks, done: new Set<string>(), isOpen: true }
      return this.#drawing.showChecklist(content, state, this.#host, this.#around)
    }
    return this.#stepOf(content, target)
  }

  #stepOf(content: RenderedFlow, target: Element | null): Widget | null {
    const step = content.steps[this.#index]
    if (!step || step.type === 'hidden') return null
    const view = { content, step, target, progress: progressOf(content, step), isExpected: false, answers: new Map() }
    return showStep(view, this.#host, this.#around, this.#drawing.questions)
  }

  #say(words: string): void {
    if (words === this.#said) return
    this.#said = words
    this.#drawBar()
  }

  #drawBar(): void {
    const keys = this.#keys()
    const place = keys.length > 0 ? `, step ${this.#index + 1} of ${keys.length}` : ''
    const said = this.#said || 'Only you see this. Nothing is stored, tracked or counted.'
    const back = barButton('Back', () => this.#go(this.#index - 1))
    const next = barButton('Next', () => this.#go(this.#index + 1))
    back.disabled = this.#index === 0
    next.disabled = this.#index >= keys.length - 1
    const ways = keys.length > 1 ? [back, next] : []
    const row = headRow(`Preview: ${this.#content.name}${place}`, said, ...ways, barButton('End preview', this.#end))
    this.#surface.fill(row, this.#receipt)
  }
}

function missingWords(matches: number): string {
  if (matches === 0) return 'No element of this page matches. Go to the page where it is: it is looked for.'
  return `${countWords(matches)} match, exactly one is needed.`
}
