// Made by generate.ts from the types of the contract. Do not edit.

import type { AttributeValue, DataType } from './attributes.ts'

type Attributes = Record<string, AttributeValue>
type AttributeInput =
  | AttributeValue
  | null
  | {
      set?: AttributeValue
      set_once?: AttributeValue
      add?: number
      subtract?: number
      data_type?: DataType | null
    }

/** Who, where and when: a tree of all, any and not over leaves. Each leaf has one key that no other leaf has. */
export type Condition = Group<Leaf>

export type Group<L> = { all: Group<L>[] } | { any: Group<L>[] } | { not: Group<L> } | L

export type Leaf = ServerLeaf | BrowserLeaf

/** Decided by the server, from what is stored at that moment. The only leaves of *who* and of segments. */
export type ServerLeaf = AttributeLeaf | EventLeaf | ContentLeaf | SegmentLeaf | AnswerLeaf | TimeLeaf

/** Decided in the page. Their outcome is never sent to the server. */
export type BrowserLeaf = UrlLeaf | ElementLeaf | InputLeaf | ViewportLeaf | LocaleLeaf

/** `90s`, `10m`, `12h`, `7d`, `4w`. */
export type Duration = string

const stringOperators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'one_of',
  'none_of',
] as const
const numberOperators = ['equals', 'not_equals', 'less', 'at_most', 'more', 'at_least', 'between'] as const
const booleanOperators = ['true', 'false'] as const
/** The first two take an instant, the others a duration. */
const datetimeOperators = [
  'before',
  'after',
  'less_than_ago',
  'more_than_ago',
  'within_next',
  'more_than_ahead',
] as const
const anyOperators = ['exists', 'missing'] as const

export type Operator =
  | (typeof stringOperators)[number]
  | (typeof numberOperators)[number]
  | (typeof booleanOperators)[number]
  | (typeof datetimeOperators)[number]
  | (typeof anyOperators)[number]

/** `values` for `one_of`, `none_of` and `between` (two of them); nothing for `true`, `false`, `exists` and `missing`. */
export interface Comparison {
  is: Operator
  value?: AttributeValue
  values?: AttributeValue[]
  ignore_case?: boolean
}

export interface AttributeLeaf extends Comparison {
  attribute: string
  of?: 'user' | 'group' | 'membership'
}

/** Without `at_least` and `at_most` it means: at least once. With `within` and `since` both count. */
export interface EventLeaf {
  event: string
  at_least?: number
  at_most?: number
  within?: Duration
  /** An instant, or `created_at`: when the user was created. */
  since?: string
  by?: 'user' | 'group'
  /** On the attributes of the event. */
  where?: (Comparison & { attribute: string })[]
}

const contentStates = ['seen', 'completed', 'active', 'dismissed', 'not_seen'] as const

export interface ContentLeaf {
  content: string
  is: (typeof contentStates)[number]
  within?: Duration
}

export interface SegmentLeaf {
  segment: string
  is: 'in' | 'not_in'
}

/** The newest answer of the user to a question of a content. */
export interface AnswerLeaf extends Comparison {
  answer: string
  question: string
}

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Between two instants; or on some weekdays, between two times of day such as `09:00`, in a zone such as `Europe/Berlin`. */
export type TimeLeaf =
  | { after?: string; before?: string }
  | { weekdays?: Weekday[]; from?: string; to?: string; zone: string }

/** `*` is one part of the path, `**` any number of them; `?tab=usage` asks for a query parameter by name. */
export interface UrlLeaf {
  url: string
}

export interface ElementLeaf {
  element: string[]
  is?: 'visible' | 'absent' | 'clicked' | 'disabled'
}

export interface InputLeaf extends Omit<Comparison, 'is'> {
  input: string[]
  is: 'filled' | (typeof stringOperators)[number]
}

/** The width of the viewport in CSS pixels. */
export interface ViewportLeaf {
  viewport: { at_least?: number; at_most?: number }
}

/** Languages such as `de` or `pt-BR`; `de` fits `de-AT` too. */
export interface LocaleLeaf {
  locale: string[]
}

/** Unknown is null: it stays unknown through all, any and not where they depend on it. */
export type Outcome = boolean | null

/** The document of a version: the same for the dashboard, files in a repository, the API and the script. */
export type ContentDocument = FlowDocument | ChecklistDocument | BannerDocument | LauncherDocument

const contentTypes = ['flow', 'checklist', 'banner', 'launcher'] as const
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

const questionKinds = ['nps', 'rating', 'choice', 'text'] as const

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

/** How widgets look. Live: a change counts at once for all content that names it, and is part of no version. */
export interface ThemeDocument {
  key: string
  name: string
  light: ThemeColors
  dark: ThemeColors
  radius: 0 | 6 | 12 | 18
  /** `page` takes the font of the page. */
  font: 'page' | 'system' | 'serif' | 'mono'
  shadow: 'none' | 'soft' | 'strong'
  /** Which colours count: `page` reads `color-scheme`, `.dark` and `data-theme` of the page. */
  mode: 'page' | 'system' | 'light' | 'dark'
}

/** Each as `#rrggbb`. */
export interface ThemeColors {
  background: string
  text: string
  secondary_text: string
  accent: string
  accent_hover: string
  on_accent: string
  soft: string
  line: string
  control: string
}
