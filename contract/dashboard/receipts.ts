import type { Static } from 'typebox'
import { contentTypes } from '../content/document.ts'
import { Type } from '../type.ts'
import { count, Done, flag, listOf, oneOf, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

/** Why a user sees content or does not: the record of the function that decides. */

const found = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

const Gate = resource({
  gate: text,
  /** Null: the browser decides. */
  open: orNull(flag),
  code: orNull(text),
  at: orNull(time),
  behind: listOf(text),
  leaves: listOf(resource({ path: text, met: orNull(flag), value: found, needed: text, sentence: text })),
})
export type Gate = Static<typeof Gate>

export const Decided = { outcome: oneOf(['show', 'hide']), sentence: text, gates: listOf(Gate) }

const Content = resource({ id: text, key: text, name: text, type: oneOf(contentTypes) })

/** A run of the past, with the decision that led to it. */
const Run = resource({
  id: text,
  state: text,
  end_reason: orNull(text),
  version: orNull(count),
  created_at: time,
  ended_at: orNull(time),
  sentence: orNull(text),
  gates: listOf(Gate),
})
export type Run = Static<typeof Run>

export const ContentReceipt = resource({
  ...Decided,
  content: Content,
  user: resource({ id: text, name: orNull(text) }),
  group_id: orNull(text),
  at: time,
  took_ms: Type.Number(),
  runs: listOf(Run),
})
export type ContentReceipt = Static<typeof ContentReceipt>

/** For a user: open now, will see, seen, will not see. */
export const userStates = ['open', 'next', 'seen', 'hidden'] as const

const ContentOfUser = resource({
  ...Decided,
  content: Content,
  state: oneOf(userStates),
  /** When it was seen, or until when it waits. */
  when: orNull(time),
})
export type ContentOfUser = Static<typeof ContentOfUser>

export const receiptOperations = {
  getReceipt: { ...paths.getReceipt, response: ContentReceipt },
  /** Forgets what the user has seen of the content, so that it is shown as if for the first time. */
  showAgain: { ...paths.showAgain, response: Done },
  listContentOfUser: { ...paths.listContentOfUser, response: resource({ data: listOf(ContentOfUser), at: time }) },
} as const
