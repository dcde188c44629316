import type { Static } from 'typebox'
import type { RenderedContent } from '../content/rendered.ts'
import { editLimits, editPurposes, OfferedLocator } from '../sdk/edit.ts'
import { Type } from '../type.ts'
import { body, Done, flag, givenId, givenText, listOf, oneOf, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'
import { Decided } from './receipts.ts'

/** Edit mode: a page of the application is opened to pick elements and to preview. */

const Proposal = resource({
  id: text,
  /** The key of the step; null for a launcher. */
  step: orNull(text),
  /** Best first. Only those that found exactly one element. */
  locators: listOf(OfferedLocator),
  page: text,
  state: oneOf(['offered', 'confirmed', 'declined']),
  created_at: time,
})
export type Proposal = Static<typeof Proposal>

/** The draft through the eyes of a user. */
export const DraftPreview = resource({
  user: resource({ id: text, name: orNull(text) }),
  /** The revision of the draft that it is of. */
  revision: text,
  content: Type.Unsafe<RenderedContent>({ type: 'object' }),
  /** The steps that they would take, with why a hidden step leads there; null for what has no steps. */
  path: orNull(
    resource({
      steps: listOf(resource({ key: text, because: orNull(text) })),
      end: oneOf(['completed', 'dismissed', 'page', 'nowhere']),
    }),
  ),
  receipt: resource(Decided),
})
export type DraftPreview = Static<typeof DraftPreview>

/** `waiting`: the page has not been opened yet. */
export const inPlaceStates = ['waiting', 'open', 'ended'] as const

export const InPlace = resource({ id: text, state: oneOf(inPlaceStates), proposals: listOf(Proposal) })
export type InPlace = Static<typeof InPlace>

export const inPlaceOperations = {
  openInPlace: {
    ...paths.openInPlace,
    body: body({
      /** Where the application is opened. It is remembered with the content. */
      address: givenText(editLimits.addressCharacters, 1),
      purpose: oneOf(editPurposes),
      step: Type.Optional(givenText(100)),
      /** As whom a draft is previewed. The page shows the receipt of this user beside it. */
      user_id: Type.Optional(givenId),
    }),
    /** `url` is the address with the one-time token. Only this answer has it. */
    response: resource({ id: text, url: text, expires_at: time }),
  },
  previewDraft: { ...paths.previewDraft, response: DraftPreview },
  /** Of the member who opened it. */
  getInPlace: { ...paths.getInPlace, response: InPlace },
  /** The editor has put the locators into the draft, or the member does not want them. */
  settleProposal: { ...paths.settleProposal, body: body({ confirmed: flag }), response: Done },
} as const
