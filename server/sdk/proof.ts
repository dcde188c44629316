import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
import { jwtVerify } from 'jose'
import { ID_PATTERN } from '../../contract/schema.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { PublicSide } from './directory.ts'

export interface GivenProof {
  signature?: string | null
  token?: string | null
}

/** How a page has proved who its user is. */
export interface Proof {
  kind: 'signed' | 'unsigned' | 'wrong'
  /** The secret that has signed it. */
  secretId?: string
  /** The only group that the page may join; undefined when the proof names none. */
  groupId?: string
}

const A_GROUP_ID = new RegExp(ID_PATTERN, 'u')

/** Checks a signature or a JWT with each live secret. With the setting `off` nothing is checked. */
export async function checkProof(
  { identity, secrets }: Pick<PublicSide, 'identity' | 'secrets'>,
  userId: string,
  { signature, token }: GivenProof,
): Promise<Proof> {
  if (identity === 'off' || (!signature && !token)) return { kind: 'unsigned' }
  for (const { id, key } of secrets) {
    const proof = token ? await readToken(key, userId, token) : isSignature(key, userId, signature as string) && {}
    if (proof) return { kind: 'signed', secretId: id, ...proof }
  }
  return { kind: 'wrong' }
}

/** The hex HMAC-SHA256 of the user id. */
function isSignature(key: KeyObject, userId: string, signature: string): boolean {
  const expected = createHmac('sha256', key).update(userId).digest()
  const given = /^[0-9a-f]{64}$/i.test(signature) ? Buffer.from(signature, 'hex') : Buffer.alloc(0)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** HS256 only: a token may not choose how it is checked. */
async function readToken(key: KeyObject, userId: string, token: string): Promise<{ groupId?: string } | undefined> {
  try {
    const { payload } = await jwtVerify<{ group?: unknown }>(token, key, {
      algorithms: ['HS256'],
      subject: userId,
      clockTolerance: sdkLimits.skewSeconds,
    })
    return readGroup(payload.group)
  } catch {
    return undefined
  }
}

/** A group that cannot be one makes the token worth nothing: without it the page could join any. */
function readGroup(group: unknown): { groupId?: string } | undefined {
  if (group === undefined || group === null) return {}
  const isId = typeof group === 'string' || Number.isSafeInteger(group)
  const groupId = String(group)
  return isId && A_GROUP_ID.test(groupId) ? { groupId } : undefined
}
