import type { Static } from 'typebox'
import { planNames } from '../plans.ts'
import { Type } from '../type.ts'
import { Environment } from './environments.ts'
import { body, Done, flag, givenName, givenText, oneOf, orNull, resource, text, time } from './fields.ts'
import { dashboardLimits as limits } from './limits.ts'
import { paths, roles } from './paths.ts'

/** Signing in and out, one-time links, and who is signed in. */

export const email = Type.String({
  maxLength: 254,
  pattern:
    '^[^\\s@\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]+@[^\\s@\\u0000-\\u001f\\u007f-\\u009f\\ud800-\\udfff]+$',
  'x-rule': 'must be an e-mail address',
})

/** A new password. The form shows the rule. */
const newPassword = Type.String({
  minLength: limits.passwordLeastCharacters,
  maxLength: limits.passwordCharacters,
  'x-rule': `must be ${limits.passwordLeastCharacters} to ${limits.passwordCharacters} characters`,
})
const givenPassword = Type.String({ maxLength: limits.passwordCharacters })
/** The part of a one-time link after the `#`. */
const token = Type.String({ maxLength: 200 })

/** What the sign-in page shows. Without an owner, only the set-up link gives access. */
export const Welcome = resource({ has_owner: flag, version: text })

export const Session = resource({
  member: resource({ id: text, email: text, name: text, role: oneOf(roles), created_at: time }),
  account: resource({
    name: text,
    plan: oneOf(planNames),
    has_groups: flag,
    /** Sessions that were not used for this many hours end; null: they end after 30 days alone. */
    idle_hours: orNull(Type.Integer()),
  }),
  environments: Type.Array(Environment),
  /** Where the public API is reached, for the printed curl: `https://usher.example.com`. */
  api_url: text,
  version: text,
  expires_at: time,
})
export type Session = Static<typeof Session>

export const linkKinds = ['set_up', 'invitation', 'password'] as const

/** A one-time link. `state` is `unknown` for a link that was never made. */
export const Link = resource({
  kind: oneOf(linkKinds),
  state: oneOf(['open', 'used', 'expired', 'unknown']),
  account_name: orNull(text),
  /** Of an invitation, and of a link for a new password. */
  email: orNull(text),
  role: orNull(oneOf(roles)),
  invited_by: orNull(text),
  expires_at: orNull(time),
})
export type Link = Static<typeof Link>

export const sessionOperations = {
  getWelcome: { ...paths.getWelcome, response: Welcome },
  signIn: {
    ...paths.signIn,
    body: body({ email: givenText(254), password: givenPassword }),
    response: Session,
  },
  readLink: { ...paths.readLink, body: body({ token }), response: Link },
  /** Sets the password, makes the member when there is none, and signs in. `email` and `name` are used when the link names no member. */
  useLink: {
    ...paths.useLink,
    body: body({ token, email: Type.Optional(email), name: Type.Optional(givenName()), password: newPassword }),
    response: Session,
  },
  getSession: { ...paths.getSession, response: Session },
  signOut: { ...paths.signOut, response: Done },
  /** Ends every session of the member and begins a new one here. */
  changePassword: {
    ...paths.changePassword,
    body: body({ current_password: givenPassword, new_password: newPassword }),
    response: Session,
  },
  updateProfile: { ...paths.updateProfile, body: body({ name: givenName() }), response: Session },
} as const
