import type { Static } from 'typebox'
import type { RenderedContent } from '../content/rendered.ts'
import { limits } from '../limits.ts'
import { Type } from '../type.ts'

/** Edit mode: what a page that a member opened from the editor says to the server, under `/sdk/edit`. */

/** In the fragment of the address, before the one-time token. */
export const EDIT_FRAGMENT = 'usher-edit'

export const editPurposes = ['pick', 'preview'] as const
export type EditPurpose = (typeof editPurposes)[number]

/** `stable`: a test id, an id or a name. `fair`: role and text. `weak`: a position or a class. */
export const stabilities = ['stable', 'fair', 'weak'] as const
export type Stability = (typeof stabilities)[number]

export const editLimits = {
  /** From the click in the editor to the opened page. */
  tokenSeconds: 600,
  /** Without a call of the page. */
  idleSeconds: 600,
  /** From the exchange of the token on. */
  sessionSeconds: 3_600,
  /** Of one edit session. */
  proposals: 50,
  locatorsOfProposal: 10,
  addressCharacters: 2_000,
  bodyBytes: 16 * 1024,
} as const

const closed = { additionalProperties: false } as const
const token = () => Type.String({ minLength: 1, maxLength: 100 })
// PostgreSQL cannot store a NUL in a text. UTF-8 cannot hold a lone surrogate.
const storable = { pattern: '^[^\\u0000\\ud800-\\udfff]*$', 'x-rule': 'must not contain a NUL or a lone surrogate' }

export const OfferedLocator = Type.Object(
  {
    locator: Type.String({ ...storable, minLength: 1, maxLength: limits.locatorCharacters }),
    matches: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    stability: Type.Unsafe<Stability>({ type: 'string', enum: stabilities }),
  },
  closed,
)
export type OfferedLocator = Static<typeof OfferedLocator>

export const EditBody = Type.Object({ token: token() }, closed)
export const EditDraftBody = Type.Object({ session: token() }, closed)
export const EndEditBody = EditDraftBody
export const ProposeBody = Type.Object(
  {
    session: token(),
    /** The key of the step; absent for a launcher. */
    step: Type.Optional(Type.String({ ...storable, maxLength: 100 })),
    locators: Type.Array(OfferedLocator, { minItems: 1, maxItems: editLimits.locatorsOfProposal }),
    /** Where it was picked: without query and fragment. */
    page: Type.String({ ...storable, maxLength: editLimits.addressCharacters }),
  },
  closed,
)
export type ProposeBody = Static<typeof ProposeBody>

/** As whom a draft is previewed, with the record of why they would see it or not. The page shows both. */
export interface EditAs {
  /** The name of the user, or the id. */
  user: string
  sentence: string
  /** `lines` are the sentences of what the gate asked. */
  gates: { name: string; open: boolean | null; lines: { met: boolean | null; sentence: string }[] }[]
}

/** The draft as it is now. As nobody, templates show their fallbacks. */
export interface EditAnswer {
  purpose: EditPurpose
  /** The key of the step that an element is picked for, or that the preview begins with. */
  step: string | null
  content: RenderedContent
  as: EditAs | null
}

/** `session` is kept in the storage of the tab, and sent with the other calls. */
export interface EditOpened extends EditAnswer {
  session: string
}

export interface ProposeAnswer {
  id: string
}
