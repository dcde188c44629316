import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'Service-Signature'
export const SIGNATURE_TOLERANCE_SECONDS = 300

export type SignatureVerdict = { valid: true } | { valid: false; reason: string }

/** See S-SECRET. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** The header's value: exactly one `t` and one `v1`, lower-case hex, no space after the comma (S-SIGNATURE). */
export function signPayload(secret: string, timestampSeconds: number, body: string | Buffer): string {
  return signWithAll([secret], timestampSeconds, body)
}

/**
 * While a secret is being rotated there is a `v1` for each: the newest secret's first, the oldest one's last. Common
 * parsers keep the last value of a name, so a receiver that knows only the old secret still works.
 */
export function signWithAll(secrets: readonly string[], timestampSeconds: number, body: string | Buffer): string {
  const signatures = secrets.map((secret) => `v1=${digest(secret, String(timestampSeconds), body).toString('hex')}`)
  return [`t=${timestampSeconds}`, ...signatures].join(',')
}

/** The contract's verification steps for a receiver. */
export function verifySignature(received: {
  header: string
  body: string | Buffer
  secret: string
  nowSeconds: number
  toleranceSeconds?: number
}): SignatureVerdict {
  const parts = parseHeader(received.header)
  if (!parts) return { valid: false, reason: 'the header is not t=<seconds>,v1=<64 hex digits>' }
  const ageSeconds = received.nowSeconds - Number(parts.t)
  if (ageSeconds > (received.toleranceSeconds ?? SIGNATURE_TOLERANCE_SECONDS)) {
    return { valid: false, reason: `the signature is ${ageSeconds} s old` }
  }
  const expected = digest(received.secret, parts.t, received.body)
  if (parts.v1.some((signature) => timingSafeEqual(expected, Buffer.from(signature, 'hex')))) return { valid: true }
  return { valid: false, reason: 'the signature does not match the body and the secret' }
}

/** Takes the timestamp as the text that was received: `t=07` and `t=7` sign different payloads. */
function digest(secret: string, timestamp: string, body: string | Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest()
}

function parseHeader(header: string): { t: string; v1: string[] } | undefined {
  const found: { t: string[]; v1: string[] } = { t: [], v1: [] }
  for (const part of header.split(',')) {
    const [key, value] = part.split('=')
    if ((key === 't' || key === 'v1') && value !== undefined) found[key].push(value)
  }
  const [t, secondT] = found.t
  if (t === undefined || secondT !== undefined || found.v1.length === 0) return undefined
  const isValid = /^\d{1,15}$/.test(t) && found.v1.every((signature) => /^[0-9a-f]{64}$/.test(signature))
  return isValid ? { t, v1: found.v1 } : undefined
}
