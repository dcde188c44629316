import type { Static } from 'typebox'
import { editLimits, editPurposes, OfferedLocator } from '../sdk/edit.ts'
import { Type } from '../type.ts'
import { body, Done, flag, givenText, listOf, oneOf, orNull, resource, text, time } from './fields.ts'
import { paths } from './paths.ts'

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
    }),
    /** `url` is the address with the one-time token. Only this answer has it. */
    response: resource({ id: text, url: text, expires_at: time }),
  },
  /** Of the member who opened it. */
  getInPlace: { ...paths.getInPlace, response: InPlace },
  /** The editor has put the locators into the draft, or the member does not want them. */
  settleProposal: { ...paths.settleProposal, body: body({ confirmed: flag }), response: Done },
} as const
