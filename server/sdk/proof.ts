import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { errors, jwtVerify } from 'jose'
import { ID_PATTERN } from '../../contract/schema.ts'
import type { ProofKind } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { PublicSide } from './directory.ts'

export interface GivenProof {
  signature?: string | null
  token?: string | null
}

/** How a page has proved who its user is. */
export interface Proof {
  kind: ProofKind
  /** Why it is wrong, for the developer of the page. */
  problem?: string
  /** The secret that has signed it. */
  secretId?: string
  /** The only group that the page may join; undefined when the proof names none. */
  groupId?: string
}

const A_GROUP_ID = new RegExp(ID_PATTERN, 'u')

const ANOTHER_SECRET = 'was not made with a live identity secret'

/** Checks a signature or a JWT with each live secret. With the setting `off` nothing is checked. */
export async function checkProof(
  { identity, secrets }: Pick<PublicSide, 'identity' | 'secrets'>,
  userId: string,
  { signature, token }: GivenProof,
): Promise<Proof> {
  if (identity === 'off' || (!signature && !token)) return { kind: 'unsigned' }
  let problem = signature && !token ? `${ANOTHER_SECRET}, or for another user id` : ANOTHER_SECRET
  for (const { id, key } of secrets) {
    const read = token ? await readToken(key, userId, token) : readSignature(key, userId, signature ?? '')
    if (typeof read === 'object') return { kind: 'signed', secretId: id, ...read }
    if (read !== ANOTHER_SECRET) problem = read
  }
  return { kind: 'wrong', problem }
}

/** What a proof says besides who the user is, or why it proves nothing. */
type ReadProof = { groupId?: string } | string

/** The hex HMAC-SHA256 of the user id. */
function readSignature(key: KeyObject, userId: string, signature: string): ReadProof {
  const expected = createHmac('sha256', key).update(userId).digest()
  const given = /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0)
  return given.length === expected.length && timingSafeEqual(given, expected) ? {} : ANOTHER_SECRET
}

/** In seconds, the year 5138. In milliseconds, each end since 1973 is beyond it. */
const LATEST_END = 100_000_000_000
const MILLISECONDS = 'has an exp in milliseconds: it must be in seconds since 1970, or the token never ends'

/** HS256 only: a token may not choose how it is checked. */
async function readToken(key: KeyObject, userId: string, token: string): Promise<ReadProof> {
  try {
    const { payload } = await jwtVerify<{ group?: unknown }>(token, key, {
      algorithms: ['HS256'],
      subject: userId,
      // Without an end a copied token would be good for ever.
      requiredClaims: ['exp'],
      clockTolerance: sdkLimits.skewSeconds,
    })
    return (payload.exp as number) > LATEST_END ? MILLISECONDS : readGroup(payload.group)
  } catch (error) {
    return problemOf(error)
  }
}

/** The claims are looked at after the signature, so what is said about them helps nobody who cannot sign. */
function problemOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'has expired (exp)'
  if (error instanceof errors.JWTClaimValidationFailed)
    return claimProblems[error.claim] ?? `has a claim that does not count: ${error.claim}`
  if (error instanceof errors.JOSEAlgNotAllowed) return 'must be signed by HS256'
  return error instanceof errors.JWSSignatureVerificationFailed ? ANOTHER_SECRET : 'is not a JWT'
}

const claimProblems: Record<string, string> = {
  exp: 'must have exp, the time when it ends, in seconds since 1970',
  sub: 'is for another user: sub must be the user id',
  nbf: 'does not count yet (nbf)',
}

/** A group that cannot be one makes the token worth nothing: without it the page could join any. */
function readGroup(group: unknown): ReadProof {
  if (group === undefined || group === null) return {}
  const isId = typeof group === 'string' || Number.isSafeInteger(group)
  const groupId = String(group)
  return isId && A_GROUP_ID.test(groupId) ? { groupId } : 'names a group that is no id of a group'
}
