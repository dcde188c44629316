import type { AttributeValue } from '../attributes.ts'

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

export const stringOperators = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'starts_with',
  'ends_with',
  'one_of',
  'none_of',
] as const
export const numberOperators = ['equals', 'not_equals', 'less', 'at_most', 'more', 'at_least', 'between'] as const
export const booleanOperators = ['true', 'false'] as const
/** The first two take an instant, the others a duration. */
export const datetimeOperators = [
  'before',
  'after',
  'less_than_ago',
  'more_than_ago',
  'within_next',
  'more_than_ahead',
] as const
export const anyOperators = ['exists', 'missing'] as const

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

export const contentStates = ['seen', 'completed', 'active', 'dismissed', 'not_seen'] as const

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

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
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
