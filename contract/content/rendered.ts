import type { BrowserLeaf, Group } from '../conditions/condition.ts'
import type { Action, ContentType, EndKind, QuestionBlock, Target } from './document.ts'
import type { ThemeDocument } from './theme.ts'

/**
 * Content as it is handed out to be shown: Markdown is parsed, templates are filled, durations are milliseconds, and what only
 * the server may know is left out. The script, the preview of the dashboard and clients of the API show this form.
 */
export type RenderedContent = RenderedFlow | RenderedChecklist | RenderedBanner | RenderedLauncher

/** Raised when an older script could not show what is handed out. */
export const CONTENT_FORMAT = 1

interface Rendered {
  format: typeof CONTENT_FORMAT
  id: string
  key: string
  name: string
  version_id: string
  theme: ThemeDocument
  /** The outcomes of the conditions that only the server can decide, by the number of their leaf. */
  outcomes: (boolean | null)[]
}

/** A server leaf stands here as its number in `outcomes`. */
export type RenderedCondition = Group<BrowserLeaf | { server: number }>

export interface RenderedFlow extends Rendered {
  type: 'flow'
  steps: RenderedStep[]
}

export interface RenderedStep {
  id: string
  key: string
  type: 'tooltip' | 'dialog' | 'hidden'
  target: RenderedTarget | null
  blocks: RenderedBlock[]
  buttons: RenderedButton[]
  advance: RenderedAdvance[]
  wait_until: RenderedCondition | null
  timeout: { after_ms: number; to: string } | null
  closable: boolean
}

export interface RenderedTarget {
  locators: string[]
  placement: NonNullable<Target['placement']>
  timeout_ms: number
  on_missing: NonNullable<Target['on_missing']>
}

export type RenderedAdvance = { to: string | null; end: EndKind | null } & (
  | { on: 'target_click' | 'target_input' | 'otherwise' }
  | { on: 'condition'; condition: RenderedCondition }
)

export type RenderedBlock =
  | { heading: Inline[] }
  | { text: Paragraph[] }
  | { image: string; alt: string }
  | { video: string; title: string }
  | { divider: true }
  | (Omit<QuestionBlock, 'label'> & { id: string; label: Inline[] })

export type Paragraph = { paragraph: Inline[] } | { list: Inline[][]; ordered: boolean }

/** `value` is the value of a template: shown as isolated text, never parsed. */
export type Inline =
  | { text: string }
  | { value: string }
  | { bold: Inline[] }
  | { italic: Inline[] }
  | { code: string }
  | { link: Inline[]; href: string }

export interface RenderedButton {
  label: Inline[]
  style: 'primary' | 'secondary'
  do: Action[]
}

export interface RenderedChecklist extends Rendered {
  type: 'checklist'
  text: Paragraph[]
  tasks: RenderedTask[]
  position: 'bottom_right' | 'bottom_left'
  starts_open: boolean
  dismissible: boolean
}

export interface RenderedTask {
  id: string
  key: string
  name: Inline[]
  text: Paragraph[]
  button: Inline[] | null
  do: Action[]
  /** Null: a click completes it. */
  complete_when: RenderedCondition | null
  visible_when: RenderedCondition | null
  completed: boolean
}

export interface RenderedBanner extends Rendered {
  type: 'banner'
  blocks: RenderedBlock[]
  buttons: RenderedButton[]
  position: 'top' | 'bottom'
  dismissible: boolean
}

export interface RenderedLauncher extends Rendered {
  type: 'launcher'
  target: RenderedTarget
  look: 'beacon' | 'icon'
  label: string
  do: Action[]
  dismissible: boolean
}

/** A content that a user may see now, as a decision lists it. */
export interface DecidedContent {
  id: string
  key: string
  type: ContentType
  slot: ContentType
  version_id: string
  /** What the page decides; null when there is nothing to decide. */
  where: RenderedCondition | null
  wait_ms: number
  /** Of the first step, or of the launcher. */
  target: RenderedTarget | null
}
