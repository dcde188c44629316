import type { Action } from '../../../contract/content/document.ts'
import type { RenderedContent, RenderedStep, RenderedTarget } from '../../../contract/content/rendered.ts'
import type { AnswerValue } from '../../../contract/sdk/protocol.ts'

export type CloseReason = 'close_button' | 'backdrop' | 'escape'

/** What widgets tell the one who shows them: the script in a page, the preview of the dashboard, or edit mode. */
export interface WidgetHost {
  /** A button, a task or a launcher was used. Answers of the step are told before. */
  act(actions: readonly Action[]): void
  answer(question: string, value: AnswerValue): void
  close(reason: CloseReason): void
  /** A task of a checklist was clicked. */
  task?(key: string): void
  /** A checklist was opened or collapsed. */
  toggled?(open: boolean): void
  /** The address that a link gets, or null for a link that must not work. */
  link(href: string): string | null
  /** Follows a link in the same tab; false leaves it to the browser. */
  follow?(href: string): boolean
}

/** How the page wants things to be. */
export interface Surroundings {
  baseZIndex: number
  scrollPadding: { top?: number; right?: number; bottom?: number; left?: number }
  scrollIntoView: ((target: Element) => void) | null
}

export const plainSurroundings: Surroundings = { baseZIndex: 100_000, scrollPadding: {}, scrollIntoView: null }

/** A widget on the screen. */
export interface Widget {
  /** Its host element in the page. */
  readonly host: HTMLElement
  /** Puts it back where it belongs when the page has removed it, or has opened a modal dialog. */
  settle(): void
  /** Answers that were given and not told yet are told. */
  flush(): void
  remove(): void
}

/** What a step is drawn from, beside its document. */
export interface StepView {
  content: RenderedContent
  step: RenderedStep
  target: Element | null
  /** The number of the step among the visible ones, and how many there are. */
  progress: { number: number; of: number } | null
  /** The user's own action brought it up, so the focus may move. */
  isExpected: boolean
  /** By the keys of the questions. */
  answers: ReadonlyMap<string, AnswerValue>
}

export type Placement = RenderedTarget['placement']
