import type { AttributeInputs, Attributes } from '../attributes.ts'
import type { ContentType } from '../content/document.ts'
import type { DecidedContent, RenderedContent } from '../content/rendered.ts'

/**
 * What a page and the server say to each other under `/sdk`: the bodies and answers of each call, and the reports of a session.
 * Every call is `POST /sdk/<name>` with `Authorization: Bearer pk_…`; all but `identify` have `Usher-Visitor: <visitor token>`.
 * A leaving page sends `text/plain` JSON with `token` and `visitor` in the body instead of these headers.
 */
export const PROTOCOL_VERSION = 1

export interface IdentifyRequest {
  /** Absent: an anonymous visitor, whose id the server makes of the browser id. */
  user_id?: string
  /** Made by the script, kept in the storage of the browser. */
  browser_id: string
  attributes?: AttributeInputs
  /** The hex HMAC-SHA256 of the user id under the identity secret. */
  signature?: string
  /** Or a JWT (HS256) under the same secret. */
  token?: string
  protocol: number
  /** The newest form of content that the script can show: its `CONTENT_FORMAT`. */
  format?: number
  page?: PageInfo
  /** The same in each try of this call, which then counts once: 8 to 64 letters, digits, `_` or `-`. */
  key?: string
}

/** Where a report was made. Without query and fragment. */
export interface PageInfo {
  url?: string
  viewport_width?: number
  viewport_height?: number
  locale?: string
}

export interface IdentifyAnswer {
  visitor: string
  /** When to identify again. */
  expires_in_seconds: number
  user_id: string
  verified: boolean
  /** Attributes that were not written, each with the reason: the first of them. */
  ignored: { name: string; reason: string }[]
  /** How many others were not written. */
  ignored_more?: number
  decision: PageDecision
}

/** Of `decide`. A visitor token takes the place of the one before: half of its time was over. */
export type DecideAnswer = PageDecision & { visitor?: string }

/** `group_id` null leaves the current group. */
export interface GroupRequest {
  group_id: string | null
  attributes?: AttributeInputs
  membership?: AttributeInputs
  /** The same in each try, as that of `identify`. */
  key?: string
}

export interface UpdateRequest {
  attributes?: AttributeInputs
  group?: { attributes?: AttributeInputs; membership?: AttributeInputs }
  /** The same in each try, as that of `identify`. */
  key?: string
}

/** Of `group` and `update`. The visitor token of `group` names the group from then on. */
export interface WriteAnswer {
  visitor: string
  ignored: { name: string; reason: string }[]
  ignored_more?: number
  decision: PageDecision
}

export interface TrackRequest {
  name: string
  attributes?: Attributes
  /** Not for the current group. */
  user_only?: boolean
  /** The same in each try, as that of `identify`. */
  key?: string
}

export interface TrackAnswer {
  /** Of the event. */
  id: string
}

/** The script has caught an exception of its own. The answer is empty. */
export interface ErrorRequest {
  message: string
}

export interface PageDecision {
  object: 'decision'
  /** Ordered per slot, the first is claimed first. */
  content: DecidedContent[]
  /** The user's active sessions, which are resumed before anything starts by itself. */
  sessions: PageSession[]
  /** Whether the page should open a stream. */
  stream: boolean
}

export interface PageSession {
  id: string
  content_id: string
  version_id: string
  slot: ContentType
  /** `here`: this browser holds it. `free`: it may be claimed. `elsewhere`: another browser shows it. */
  held: 'here' | 'free' | 'elsewhere'
  /** The outcomes of its server leaves now, as in its document. */
  outcomes: (boolean | null)[]
  /** The keys of the completed tasks of a checklist. */
  tasks: string[]
}

/** `session`: resume this one. Otherwise a new session of the content. */
export interface ClaimRequest {
  content: string
  version_id?: string
  session?: string
  reason?: 'auto' | 'resume'
}

export interface StartRequest {
  content: string
  once?: boolean
  /** The session whose `start` action names the content. */
  from_session?: string
}

export interface Claim {
  object: 'content_claim'
  id: string
  content_id: string
  version_id: string
  epoch: number
  /** Of the last report that is stored; 0 before the first. */
  sequence: number
  lease_seconds: number
  document: RenderedContent
  /** Where a resumed session is. */
  progress: SessionProgress | null
}

export interface SessionProgress {
  step: string | null
  completed: boolean
  answers: Record<string, AnswerValue>
}

export type AnswerValue = number | string | string[]

export interface RenewRequest {
  id: string
  epoch: number
}

/** `slot` as in the answer to progress. */
export interface RenewAnswer {
  holder: boolean
  slot: boolean
  lease_seconds: number
}

export interface ReleaseRequest {
  id: string
  epoch: number
}

export interface ProgressRequest {
  id: string
  epoch: number
  reports: Report[]
  page?: PageInfo
}

export interface ProgressAnswer {
  /** False: its lease is over, or another browser has claimed it since. In that case only answers counted. */
  holder: boolean
  /** False: it was hidden for so long that its slot was given to other content. Claim the session to get it back. */
  slot: boolean
  sequence: number
  state: SessionState
}

export const sessionStates = ['active', 'completed', 'dismissed', 'ended'] as const
/** Completed and ended are two facts: a completed session that ends stays completed. */
export type SessionState = (typeof sessionStates)[number]

export const endReasons = [
  'close_button',
  'backdrop',
  'escape',
  'button',
  'advance',
  'replaced',
  'target_missing',
  'timeout',
  'unpublished',
  'version_changed',
  'api',
  'expired',
] as const
export type EndReason = (typeof endReasons)[number]

/** Those that a page can report. `api` is the `endAll` of the script. */
export const pageEndReasons = [
  'close_button',
  'backdrop',
  'escape',
  'button',
  'advance',
  'target_missing',
  'timeout',
  'api',
] as const satisfies readonly EndReason[]

/** The lease of a claim; a page renews it every `RENEW_SECONDS`, and hides what it shows when it could not for `HIDE_SECONDS`. */
export const LEASE_SECONDS = 60
export const RENEW_SECONDS = 20
export const HIDE_SECONDS = 50
/** A session that is hidden for so long gives up its slot. A page reports `hidden` at once, and both count. */
export const SLOT_SECONDS = 8

/** What the `step` of a report is about the target of a launcher, which has no steps. */
export const LAUNCHER_STEP = 'launcher'

/**
 * Sequences begin at 1 and have no gaps. A report that is stored already is ignored. The first `step_seen` of a flow, and the
 * first `shown` of anything else, begins the session.
 */
export type Report = { sequence: number } & (
  | { type: 'step_seen'; step: string; locator?: string }
  | { type: 'target_missing'; step: string; matches: number }
  | { type: 'answered'; question: string; value: AnswerValue }
  | { type: 'task_clicked'; task: string }
  | { type: 'task_completed'; task: string }
  | { type: 'shown'; locator?: string }
  | { type: 'hidden' }
  | { type: 'activated' }
  | { type: 'completed' }
  | { type: 'ended'; reason: EndReason }
)

/**
 * A message of the stream. `hint`: decide again, after a random part of `within_ms`; with `off`, take down at once what is shown:
 * all content was switched off. `session`: this session changed elsewhere.
 * `close`: open the stream again, after a random part of `within_ms`. `replaced`: another tab of this browser has the stream.
 */
export type StreamMessage =
  | { type: 'hint'; within_ms: number; off?: true }
  | { type: 'session'; id: string }
  | { type: 'close'; within_ms: number }
  | { type: 'replaced' }
