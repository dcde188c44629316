import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { EnvironmentId } from '../database/database.ts'

/** A browser that has identified its user. */
export interface Visitor {
  userId: string
  /** When the user was created: a user that was deleted and created again is another. */
  userCreatedAt: string
  browserId: string
  groupId: string | null
  /** The only group that it may join: its token names it. */
  onlyGroupId: string | null
  isVerified: boolean
  /** The identity secret that has signed its proof; null: it has none, or its token is of an earlier version. */
  secretId: string | null
  /** The newest form of content that its script can show. */
  format: number
  /** Of a page that is not verified, what it has sent of its user: see `sent-values.ts`. */
  sent: readonly string[]
  /** Until when its token counts, and when the page has identified its user, in milliseconds. Absent in a new one. */
  token?: { readonly until: number; readonly since: number }
}

/** Short names: the token is sent with every request. */
interface Payload {
  e: number
  u: string
  c: string
  b: string
  g: string | null
  o: string | null
  v: 0 | 1
  k?: string
  f: number
  s?: readonly string[]
  x: number
  i: number
}

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * `base64url(nonce, ciphertext and tag)`, by the key of the environment. It is sealed, and not only signed: whoever says that
 * he is a user would read in it when that user was created, and so whether it was there before.
 */
export function signVisitor(key: KeyObject, environmentId: EnvironmentId, visitor: Visitor, now: number): string {
  const { userId, userCreatedAt, browserId, groupId, onlyGroupId, isVerified, secretId, format, sent, token } = visitor
  const payload: Payload = {
    e: environmentId,
    u: userId,
    c: userCreatedAt,
    b: browserId,
    g: groupId,
    o: onlyGroupId,
    v: isVerified ? 1 : 0,
    ...(secretId !== null && { k: secretId }),
    f: format,
    ...(sent.length > 0 && { s: sent }),
    x: Math.floor(endOf(token, now) / 1000),
    i: Math.floor((token?.since ?? now) / 1000),
  }
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, sealingKey(key), nonce, { authTagLength: TAG_BYTES })
  const sealed = cipher.update(JSON.stringify(payload), 'utf8')
  return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** A day after the page has identified its user no answer makes its token longer, whatever else it changes in it. */
function endOf(token: Visitor['token'], now: number): number {
  const { visitorSeconds, identifiedSeconds } = sdkLimits
  const mayRenew = !token || now - token.since < identifiedSeconds * 1000
  return mayRenew ? now + visitorSeconds * 1000 : token.until
}

/** Undefined when it was not made by this environment, was changed, or has expired. */
export function readVisitor(
  key: KeyObject,
  environmentId: EnvironmentId,
  token: string,
  now: number,
): Visitor | undefined {
  const text = token.length > sdkLimits.visitorCharacters ? undefined : openSealed(key, Buffer.from(token, 'base64url'))
  if (text === undefined) return undefined
  const { e, u, c, b, g, o, v, k = null, f, s = [], x, i } = JSON.parse(text) as Payload
  if (e !== environmentId || x * 1000 <= now) return undefined
  return {
    userId: u,
    userCreatedAt: c,
    browserId: b,
    groupId: g,
    onlyGroupId: o,
    isVerified: v === 1,
    secretId: k,
    format: f,
    sent: s,
    token: { until: x * 1000, since: i * 1000 },
  }
}

/** Whether a page should get a new token: half of the hour is over, and it has identified its user within a day. */
export function isDueForRenewal({ token }: Visitor, now: number): boolean {
  if (!token) return false
  const { visitorSeconds, identifiedSeconds } = sdkLimits
  return token.until - now < visitorSeconds * 500 && now - token.since < identifiedSeconds * 1000
}

/** Undefined when it was not sealed with this key, or was changed. */
function openSealed(key: KeyObject, sealed: Buffer): string | undefined {
  if (sealed.length <= NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const decipher = createDecipheriv(CIPHER, sealingKey(key), nonce, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  try {
    return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}

const sealingKeys = new WeakMap<KeyObject, KeyObject>()

/** Of the length that the cipher needs. The key of an environment is a text. */
function sealingKey(key: KeyObject): KeyObject {
  const known = sealingKeys.get(key)
  if (known) return known
  const made = createSecretKey(createHmac('sha256', key).update('visitor tokens').digest())
  sealingKeys.set(key, made)
  return made
}
