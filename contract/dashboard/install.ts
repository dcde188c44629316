import type { Static } from 'typebox'
import { identitySettings, proofKinds } from '../sdk/identity.ts'
import {
  body,
  count,
  Done,
  flag,
  givenName,
  givenText,
  listOf,
  oneOf,
  orNull,
  resource,
  Series,
  text,
  time,
} from './fields.ts'
import { paths } from './paths.ts'

/** What pages need: the public token, the origins that may send it, and how they prove who their user is. */

/** `ends_at`: of a token that was exchanged for another. */
const Token = resource({
  id: count,
  token: text,
  name: text,
  created_at: time,
  last_used_at: orNull(time),
  ends_at: orNull(time),
})

const Secret = resource({ id: text, last_four: text, created_at: time, last_used_at: orNull(time) })

/** Of today and the day before (UTC), as all counts here. */
const identifications = { signed: count, unsigned: count, wrong: count, anonymous: count }

/** Users whom pages have identified, of the same days. Many are told by a sample; then the number is not exact. */
const People = resource({ count, is_exact: flag })

const proof = oneOf(proofKinds)

/** A user, with the newest identification. */
const LastIdentified = resource({ id: text, name: orNull(text), proof, at: time })

/** A user without a good signature. `origin` is the allowed one of the page; it is empty for a program. */
const LackingUser = resource({ id: text, name: orNull(text), proof, origin: text, last_at: time })

/** How it goes in pages of allowed origins, of the same days. */
const health = {
  /** Identifications by the version of the script, the most frequent first. It is empty when the script does not tell. */
  versions: listOf(resource({ version: text, count })),
  /** In how many milliseconds the server has answered half of the calls, and 95 of 100, as bounds; null without calls. */
  answers: orNull(resource({ count, half_ms: count, most_ms: count })),
  /** Exceptions that the script has caught, and calls that were refused. */
  errors: resource({ caught: count, refused: count }),
}

/** An allowed origin, with the identifications of its pages and the time of the last of them. */
const Origin = resource({ origin: text, seen_at: orNull(time), people: People, ...identifications, ...health })

/** An origin that is not allowed, with the refused requests of its pages. */
const RefusedOrigin = resource({ origin: text, count, last_at: time })

export const Installation = resource({
  /** Where pages load the script from. */
  url: text,
  tokens: listOf(Token),
  origins: listOf(Origin),
  /** The most frequent first. Only some are named, since programs can send any origin. */
  refused_origins: listOf(RefusedOrigin),
  /** All requests that were refused for their origin, also those without a name. */
  refused: count,
  identity: oneOf(identitySettings),
  secrets: listOf(Secret),
  /** Identifications of the last 14 days (UTC), today last: about one for each page that was loaded. */
  days: Series,
  /** Of today and the day before: by scripts that can show every form of content, and by older ones. */
  scripts: resource({ newest: count, older: count }),
  /** The version of the script that this server hands out. */
  script_version: text,
  /** Users who were identified without a good signature. */
  lacking: People,
  last_identified: orNull(LastIdentified),
  /** When a page was last seen. */
  seen_at: orNull(time),
  ...identifications,
  ...health,
})
export type Installation = Static<typeof Installation>

export const installOperations = {
  getInstallation: { ...paths.getInstallation, response: Installation },
  createToken: { ...paths.createToken, body: body({ name: givenName() }), response: Token },
  listLackingUsers: {
    ...paths.listLackingUsers,
    /** The newest first; a sample where there are many. */
    response: resource({ users: listOf(LackingUser), people: People }),
  },
  rotateToken: { ...paths.rotateToken, response: Token },
  revokeToken: { ...paths.revokeToken, response: Done },
  addOrigin: { ...paths.addOrigin, body: body({ origin: givenText(300, 1) }), response: resource({ origin: text }) },
  removeOrigin: { ...paths.removeOrigin, body: body({ origin: givenText(300, 1) }), response: Done },
  createIdentitySecret: { ...paths.createIdentitySecret, response: resource({ id: text, secret: text }) },
  revokeIdentitySecret: { ...paths.revokeIdentitySecret, response: Done },
  setIdentity: { ...paths.setIdentity, body: body({ identity: oneOf(identitySettings) }), response: Done },
} as const
