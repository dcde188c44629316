import type { AttributeInput, Attributes } from '../attributes.ts'
import type { Condition, Duration } from '../conditions/condition.ts'

/** The document of a version: the same for the dashboard, files in a repository, the API and the script. */
export type ContentDocument = FlowDocument | ChecklistDocument | BannerDocument | LauncherDocument

export const contentTypes = ['flow', 'checklist', 'banner', 'launcher'] as const
export type ContentType = (typeof contentTypes)[number]

/** What may be visible at once: one flow, one checklist, one banner, any launchers. The slot of a content is its type. */
export type Slot = ContentType

interface Document {
  $schema?: string
  /** Unique in its environment, and the same in all environments. */
  key: string
  name: string
  /** Server leaves only. Without it, everybody. */
  who?: Condition
  /** Asked at the start only. Server and browser leaves. */
  where?: Condition
  when?: When
  /** The key of a theme. */
  theme?: string
  /** A page may start it by its key. */
  startable?: boolean
}

export type Frequency = 'once' | 'until_completed' | 'always' | { every: Duration }

export interface When {
  /** `once` unless given: a banner, for instance, stays over pages until it is dismissed, and is not shown again. */
  frequency?: Frequency
  /** How often it may start, with `until_completed` and `every`. */
  at_most?: number
  /** All conditions hold for that long without a break. */
  wait?: Duration
  /** 0 to 100, high first; 50 unless given. */
  priority?: number
  /** It may start in the quiet period after a flow. */
  exempt_from_quiet?: boolean
}

export interface FlowDocument extends Document {
  type: 'flow'
  steps: Step[]
}

export type Step = TooltipStep | DialogStep | HiddenStep

interface StepBase {
  key: string
  /** For the list of steps in the editor. The first heading unless given. */
  name?: string
  /** The first that holds counts. */
  advance?: Advance[]
  timeout?: Timeout
}

export interface TooltipStep extends StepBase {
  type: 'tooltip'
  target: Target
  blocks: Block[]
  buttons?: Button[]
  /** False: it has no close button. */
  closable?: boolean
}

export interface DialogStep extends StepBase {
  type: 'dialog'
  blocks: Block[]
  buttons?: Button[]
  closable?: boolean
}

/** Shows nothing: waits for a condition, then takes the first of its ways that holds. */
export interface HiddenStep extends StepBase {
  type: 'hidden'
  wait_until?: Condition
  advance: Advance[]
  timeout: Timeout
}

export interface Timeout {
  after: Duration
  /** The key of a step. */
  to: string
}

/** Where a step goes on by itself: to a step, or to the end; to the following step unless given. */
export type Advance = { to?: string; end?: EndKind } & (
  | { on: 'target_click' | 'target_input' | 'otherwise' }
  | { on: 'condition'; condition: Condition }
)

export interface Target {
  /** Best first: `testid=…`, `role=button[name="Export"]`, `text=…`, `css=…`. */
  locators: string[]
  placement?: 'auto' | 'top' | 'bottom' | 'left' | 'right'
  /** How long it is looked for before `on_missing` counts; 8s unless given. */
  timeout?: Duration
  /** `wait` unless given: stay hidden and keep looking. */
  on_missing?: 'wait' | 'skip' | 'center' | 'end'
}

export type Block = HeadingBlock | TextBlock | ImageBlock | VideoBlock | DividerBlock | QuestionBlock

export interface HeadingBlock {
  heading: string
}

/** Markdown: bold, italic, code, link, list. */
export interface TextBlock {
  text: string
}

export interface ImageBlock {
  image: string
  alt: string
}

export interface VideoBlock {
  video: string
  title: string
}

export interface DividerBlock {
  divider: true
}

export const questionKinds = ['nps', 'rating', 'choice', 'text'] as const

/** `question` is its key: the same question in every version. */
export interface QuestionBlock {
  question: string
  kind: (typeof questionKinds)[number]
  label: string
  required?: boolean
  /** Of a choice. */
  options?: string[]
  /** Several options may be chosen. */
  multiple?: boolean
  /** The label of a further option with a text of one's own. */
  other?: string
  /** A text of several lines. */
  long?: boolean
  /** What stands at the low and at the high end of `nps` and `rating`. */
  low?: string
  high?: string
}

export interface Button {
  label: string
  style?: 'primary' | 'secondary'
  do: Action[]
}

export type EndKind = 'completed' | 'dismissed'

/** Each has one key that no other has. None runs code. */
export type Action =
  | { next: true }
  | { previous: true }
  | { go_to: string }
  | { end: EndKind }
  | { open: string; in?: 'same' | 'new' }
  | { start: string }
  | { set: string; value: AttributeInput }
  | { track: string; attributes?: Attributes }

export interface ChecklistDocument extends Document {
  type: 'checklist'
  /** Markdown. */
  text?: string
  tasks: Task[]
  position?: 'bottom_right' | 'bottom_left'
  /** Collapsed unless true. */
  starts_open?: boolean
  dismissible?: boolean
}

/** Without `complete_when` a click completes it. Once completed it stays so. */
export interface Task {
  key: string
  name: string
  text?: string
  /** The label of its button. */
  button?: string
  do?: Action[]
  complete_when?: Condition
  visible_when?: Condition
}

export interface BannerDocument extends Document {
  type: 'banner'
  blocks: Block[]
  buttons?: Button[]
  position?: 'top' | 'bottom'
  dismissible?: boolean
}

export interface LauncherDocument extends Document {
  type: 'launcher'
  target: Target
  look?: 'beacon' | 'icon'
  /** What assistive technology says. */
  label: string
  do: Action[]
  dismissible?: boolean
}
