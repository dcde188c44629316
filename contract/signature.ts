import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'Service-Signature'
export const SIGNATURE_TOLERANCE_SECONDS = 300

export type Verdict = { valid: true } | { valid: false; reason: string }

/** See S-SECRET. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** The header's value: exactly one `t` and one `v1`, lower-case hex, no space after the comma (S-SIGNATURE). */
export function signPayload(secret: string, timestampSeconds: number, body: string | Buffer): string {
  return `t=${timestampSeconds},v1=${digest(secret, String(timestampSeconds), body).toString('hex')}`
}

/** The contract's verification steps for a receiver. */
export function verifySignature(received: {
  header: string
  body: string | Buffer
  secret: string
  nowSeconds: number
  toleranceSeconds?: number
}): Verdict {
  const parts = parseHeader(received.header)
  if (!parts) return { valid: false, reason: 'the header is not t=<seconds>,v1=<64 hex digits>' }
  const ageSeconds = received.nowSeconds - Number(parts.t)
  if (ageSeconds > (received.toleranceSeconds ?? SIGNATURE_TOLERANCE_SECONDS)) {
    return { valid: false, reason: `the signature is ${ageSeconds} s old` }
  }
  const expected = digest(received.secret, parts.t, received.body)
  if (timingSafeEqual(expected, Buffer.from(parts.v1, 'hex'))) return { valid: true }
  return { valid: false, reason: 'the signature does not match the body and the secret' }
}

/** Takes the stamp as the text it came as: `t=07` and `t=7` sign different payloads. */
function digest(secret: string, timestamp: string, body: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
}

function parseHeader(header: string): { t: string; v1: string } | undefined {
  const found: { t: string[]; v1: string[] } = { t: [], v1: [] }
  for (const part of header.split(',')) {
    const [key, value] = part.split('=')
    if ((key === 't' || key === 'v1') && value !== undefined) found[key].push(value)
  }
  const [t, secondT] = found.t
  const [v1, secondV1] = found.v1
  if (secondT !== undefined || secondV1 !== undefined || t === undefined || v1 === undefined) return undefined
  return /^\d{1,15}$/.test(t) && /^[0-9a-f]{64}$/.test(v1) ? { t, v1 } : undefined
}
