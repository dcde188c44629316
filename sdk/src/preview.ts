import type { RenderedContent } from '../../contract/content/rendered.ts'
import { safeAddress } from './widgets/address.ts'
import { showBanner } from './widgets/banner.ts'
import { drawBoard } from './widgets/board.ts'
import { showChecklist } from './widgets/checklist.ts'
import { plainSurroundings, type Widget, type WidgetHost } from './widgets/host.ts'
import { showLauncher } from './widgets/launcher.ts'
import * as questions from './widgets/questions.ts'
import { progressOf, showStep } from './widgets/show.ts'

/**
 * The preview of the dashboard's editor: this file and the page `preview.html` around it, in a sandboxed frame. It draws by the
 * files that pages load. The editor sends `PreviewMessage`s and gets `PreviewReport`s, both by `postMessage`.
 */
export interface PreviewMessage {
  usher: 'show'
  content: RenderedContent
  /** The key of the step of a flow; the first visible one when it is left out. */
  step?: string | null
  mode?: 'light' | 'dark'
  /** A checklist is shown open or collapsed, with these tasks done. */
  isOpen?: boolean
  done?: string[]
}

export type PreviewReport =
  | { usher: 'ready' }
  /** The step shows nothing: it is hidden, or there is none. */
  | { usher: 'shown'; isVisible: boolean }
  | { usher: 'act'; actions: unknown }
  | { usher: 'close'; reason: string }
  | { usher: 'task'; task: string }
  /** A block was clicked, by its number in the document. */
  | { usher: 'block'; index: number }

const tell = (report: PreviewReport) => window.parent.postMessage(report, '*')

const host: WidgetHost = {
  act: (actions) => tell({ usher: 'act', actions }),
  answer: () => {},
  close: (reason) => tell({ usher: 'close', reason }),
  task: (task) => tell({ usher: 'task', task }),
  link: (href) => safeAddress(href, 'https://preview.invalid/'),
  // A link of the preview leads nowhere.
  follow: () => true,
}

/** Whoever types in the editor keeps the focus: what is drawn takes it only when somebody is in the picture. */
const takeFocus = HTMLElement.prototype.focus
HTMLElement.prototype.focus = function (options) {
  if (document.hasFocus()) takeFocus.call(this, options)
}
const showModal = HTMLDialogElement.prototype.showModal
HTMLDialogElement.prototype.showModal = function () {
  // An inert dialog is shown without the focus.
  this.inert = !document.hasFocus()
  showModal.call(this)
  this.inert = false
}

let shown: Widget | null = null
const target = drawBoard()

function draw(message: PreviewMessage): Widget | null {
  const { content } = message
  if (content.type === 'banner') return showBanner(content, host, plainSurroundings, questions)
  if (content.type === 'launcher') return showLauncher(content, target, host, plainSurroundings)
  if (content.type === 'checklist') {
    const state = {
      tasks: content.tasks,
      done: new Set(message.done ?? []),
      isOpen: message.isOpen ?? content.starts_open,
    }
    return showChecklist(content, state, host, plainSurroundings)
  }
  const step =
    content.steps.find(({ key }) => key === message.step) ?? content.steps.find(({ type }) => type !== 'hidden')
  if (!step || step.type === 'hidden') return null
  const at = step.type === 'tooltip' ? target : null
  const view = { content, step, target: at, progress: progressOf(content, step), isExpected: false, answers: new Map() }
  return showStep(view, host, plainSurroundings, questions)
}

addEventListener('message', (event: MessageEvent<PreviewMessage>) => {
  if (event.source !== window.parent || event.data?.usher !== 'show') return
  document.documentElement.dataset.theme = event.data.mode ?? 'light'
  shown?.remove()
  shown = draw(event.data)
  shown?.host.shadowRoot?.addEventListener('click', (click) => {
    const index = (click.target as Element).closest<HTMLElement>('[data-block]')?.dataset.block
    if (index !== undefined) tell({ usher: 'block', index: Number(index) })
  })
  tell({ usher: 'shown', isVisible: shown !== null })
})
tell({ usher: 'ready' })
