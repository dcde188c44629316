import { createSecretKey, type KeyObject } from 'node:crypto'
import { isPlanName, type PlanName, plans } from '../../contract/plans.ts'
import type { IdentitySetting } from '../../contract/sdk/identity.ts'
import { type ControlRevision, RevisionCache } from '../accounts/revision.ts'
import type { EnvironmentId, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import { after, type MaybePromise } from '../maybe-promise.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { findPublicSides, type PublicSideRow } from './directory-queries.ts'
import { secretPlace } from './identity.ts'
import { LOCALHOST } from './origins.ts'
import { visitorKeyPlace } from './settings.ts'

/** What a public token leads to. */
export interface PublicSide {
  tokenId: number
  /** When the token ends; Infinity unless it was exchanged for another. */
  endsMs: number
  environmentId: EnvironmentId
  accountId: number
  planName: PlanName
  plan: (typeof plans)[PlanName]
  identity: IdentitySetting
  secrets: readonly { id: string; key: KeyObject }[]
  origins: readonly string[]
  /** Signs the visitor tokens of the environment. */
  visitorKey: KeyObject
}

// Case matters: the token is looked up as it is.
const BEARER = /^bearer +(pk_[a-z2-7]{26}) *$/i

/** Finds the public side of a token, cached as API keys are: a revoked token stops working within a second. */
export class PublicDirectory {
  readonly #sides: RevisionCache<PublicSide>
  readonly #now: () => number

  constructor(database: Queryable, revision: ControlRevision, box: SecretBox, now: () => number) {
    this.#now = now
    this.#sides = new RevisionCache(revision, async (tokens) => {
      const rows = await findPublicSides(database, tokens)
      return new Map(rows.map((row) => [row.token, sideOf(row, box)]))
    })
  }

  /** By an `Authorization` header, or by the token alone. */
  find(header: string | undefined): MaybePromise<PublicSide> {
    const token = BEARER.exec(header ?? '')?.[1]
    if (token === undefined) throw errors.invalidPublicToken(malformed(header))
    return after(this.#sides.get(token), (side) => {
      if (!side || side.endsMs <= this.#now())
        throw errors.invalidPublicToken('The public token is not known, or was revoked.')
      return side
    })
  }
}

/** Nothing of the header is repeated: it may be a key. */
function malformed(header: string | undefined): string {
  if (header === undefined || header === '')
    return 'There is no public token. Send the header Authorization: Bearer pk_….'
  if (/\bak_/i.test(header))
    return 'This is an API key, and not a public token. A key never belongs into a page: revoke it. Send the header Authorization: Bearer pk_….'
  return 'This is not a public token: it is pk_ and 26 letters and digits, in the header Authorization: Bearer pk_….'
}

function sideOf(row: PublicSideRow, box: SecretBox): PublicSide {
  const environmentId = row.environment_id
  const planName = isPlanName(row.plan) ? row.plan : 'self_hosted'
  const keyOf = (sealed: string, place: string) => createSecretKey(box.open(sealed, place), 'utf8')
  return {
    tokenId: row.token_id,
    endsMs: row.ends_ms ?? Number.POSITIVE_INFINITY,
    environmentId,
    accountId: row.account_id,
    planName,
    plan: plans[planName],
    identity: row.identity,
    secrets: row.secrets.map((sealed, index) => {
      const id = row.secret_ids[index] as string
      return { id, key: keyOf(sealed, secretPlace(environmentId, id)) }
    }),
    origins: row.origins.length === 0 ? [LOCALHOST] : row.origins,
    visitorKey: keyOf(row.visitor_key, visitorKeyPlace(environmentId)),
  }
}
