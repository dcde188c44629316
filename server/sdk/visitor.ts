import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'
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
  f: number
  s?: readonly string[]
  x: number
  i: number
}

const MOST_CHARACTERS = 4_096

/** `base64url(payload).base64url(HMAC-SHA256)`, by the key of the environment. */
export function signVisitor(key: KeyObject, environmentId: EnvironmentId, visitor: Visitor, now: number): string {
  const { userId, userCreatedAt, browserId, groupId, onlyGroupId, isVerified, format, sent, token } = visitor
  const payload: Payload = {
    e: environmentId,
    u: userId,
    c: userCreatedAt,
    b: browserId,
    g: groupId,
    o: onlyGroupId,
    v: isVerified ? 1 : 0,
    f: format,
    ...(sent.length > 0 && { s: sent }),
    x: Math.floor(endOf(token, now) / 1000),
    i: Math.floor((token?.since ?? now) / 1000),
  }
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
  return `${text}.${macOf(key, text).toString('base64url')}`
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
  const end = token.indexOf('.')
  if (end < 0 || token.length > MOST_CHARACTERS) return undefined
  const text = token.slice(0, end)
  const mac = Buffer.from(token.slice(end + 1), 'base64url')
  const expected = macOf(key, text)
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined
  const { e, u, c, b, g, o, v, f, s = [], x, i } = JSON.parse(Buffer.from(text, 'base64url').toString()) as Payload
  if (e !== environmentId || x * 1000 <= now) return undefined
  return {
    userId: u,
    userCreatedAt: c,
    browserId: b,
    groupId: g,
    onlyGroupId: o,
    isVerified: v === 1,
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

function macOf(key: KeyObject, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
