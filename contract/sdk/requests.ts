import type { Static } from 'typebox'
import { attributeInputs } from '../attributes.ts'
import { EVENT_NAME_PATTERN, EVENT_NAME_RULE } from '../names.ts'
import { ReportProgress } from '../requests/sessions.ts'
import { ID_PATTERN, ID_RULE, id, optional, optionalId, storable } from '../schema.ts'
import { Type } from '../type.ts'
import { sdkLimits } from './limits.ts'

/** The bodies of the calls of pages. What they mean is in `contract/sdk/protocol.ts`. */

const closed = { additionalProperties: false } as const

/** Of a page that is being left, which cannot set headers: its public token and its visitor token. */
const leaving = {
  token: optional<string>({ type: 'string', maxLength: 100 }),
  visitor: optional<string>({ type: 'string', maxLength: sdkLimits.visitorCharacters }),
}

/** An id that the client makes. */
const made = {
  pattern: `^[\\w-]{8,${sdkLimits.browserIdCharacters}}$`,
  'x-rule': `must be 8 to ${sdkLimits.browserIdCharacters} characters of a-z, A-Z, 0-9, underscore and dash`,
} as const

/** The same in each try of a call, which then counts once. */
const key = optional<string>({ type: 'string', ...made })

const { reports, page } = ReportProgress.properties

export const IdentifyBody = Type.Object(
  {
    user_id: optionalId('The user; absent for an anonymous visitor.', 'u_1'),
    browser_id: Type.String(made),
    attributes: attributeInputs('The attributes of the user.'),
    signature: optional<string>({ type: 'string', maxLength: 128 }),
    token: optional<string>({ type: 'string', maxLength: sdkLimits.jwtBytes }),
    protocol: Type.Integer({ minimum: 1 }),
    format: optional<number>({ type: 'integer', minimum: 1 }),
    page,
    key,
  },
  closed,
)

/** In the address, where a server that does not know it leaves it alone: a closed body would be refused. */
export const IdentifyQuery = Type.Object({
  script: Type.Optional(Type.String({ description: 'The version of the script.', examples: ['1.0.0'] })),
})

export const GroupBody = Type.Object(
  {
    group_id: Type.Unsafe<string | null>({
      type: ['string', 'integer', 'null'],
      pattern: ID_PATTERN,
      'x-rule': ID_RULE,
      'x-id': true,
    }),
    attributes: attributeInputs('The attributes of the group.'),
    membership: attributeInputs('The attributes of the membership.'),
    key,
    ...leaving,
  },
  closed,
)

const GroupPart = Type.Object(
  {
    attributes: attributeInputs('The attributes of the group.'),
    membership: attributeInputs('The attributes of the membership.'),
  },
  closed,
)

export const UpdateBody = Type.Object(
  {
    attributes: attributeInputs('The attributes of the user.'),
    group: optional<Static<typeof GroupPart>>({ ...GroupPart }),
    key,
    ...leaving,
  },
  closed,
)

export const TrackBody = Type.Object(
  {
    name: Type.String({ pattern: EVENT_NAME_PATTERN, 'x-rule': EVENT_NAME_RULE }),
    attributes: attributeInputs('The attributes of the event.'),
    user_only: optional<boolean>({ type: 'boolean' }),
    key,
    ...leaving,
  },
  closed,
)

export const DecideBody = Type.Object({}, closed)

const contentName = () => id('The key or the id of a content.', 'welcome')
const sessionId = () => id('The id of a claim, which is that of its session.', '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f')
const epoch = () => Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

export const ClaimBody = Type.Object(
  {
    content: contentName(),
    version_id: optional<string>({ ...storable, type: 'string', maxLength: 100 }),
    session: optional<string>({ ...storable, type: 'string', maxLength: 100 }),
    reason: optional<'auto' | 'resume'>({ type: 'string', enum: ['auto', 'resume', null] }),
  },
  closed,
)

export const StartBody = Type.Object(
  {
    content: contentName(),
    once: optional<boolean>({ type: 'boolean' }),
    from_session: optional<string>({ ...storable, type: 'string', maxLength: 100 }),
  },
  closed,
)

export const RenewBody = Type.Object({ id: sessionId(), epoch: epoch() }, closed)

export const ReleaseBody = Type.Object({ id: sessionId(), epoch: epoch(), ...leaving }, closed)

export const ProgressBody = Type.Object(
  {
    id: sessionId(),
    epoch: epoch(),
    reports,
    page,
    ...leaving,
  },
  closed,
)

/** An exception that the script has caught. It is counted and shown in Live, and not stored. */
export const ErrorBody = Type.Object(
  { message: Type.String({ ...storable, maxLength: sdkLimits.errorCharacters }), ...leaving },
  closed,
)

export type IdentifyQuery = Static<typeof IdentifyQuery>
export type IdentifyBody = Static<typeof IdentifyBody>
export type GroupBody = Static<typeof GroupBody>
export type UpdateBody = Static<typeof UpdateBody>
export type TrackBody = Static<typeof TrackBody>
export type ClaimBody = Static<typeof ClaimBody>
export type StartBody = Static<typeof StartBody>
export type RenewBody = Static<typeof RenewBody>
export type ReleaseBody = Static<typeof ReleaseBody>
export type ProgressBody = Static<typeof ProgressBody>
