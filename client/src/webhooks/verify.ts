import type { Definitions } from '../attributes.ts'
import { bytesOf, concatenate, encode } from '../bytes.ts'
import { webCrypto } from '../crypto.ts'
import { WebhookVerificationError } from '../errors.ts'
import type { WebhookNotification } from './notification.ts'

/** Headers as runtimes have them, or the value of `Service-Signature` itself. */
export type HeadersLike =
  | string
  | { get(name: string): string | null | undefined }
  | { readonly [name: string]: string | readonly string[] | undefined }

export interface VerifyOptions {
  /** How old a signature may be. 300 s unless given. */
  toleranceSeconds?: number
  /** The time, for tests. */
  nowSeconds?: number
}

const HEADER = 'service-signature'
const TOLERANCE_SECONDS = 300

/**
 * Returns the notification when it was signed with one of the secrets, less than five minutes ago; throws a
 * `WebhookVerificationError` otherwise. The body must be as it arrived: parsed and written again, it has another signature.
 */
export async function verifyWebhook<D extends Definitions = Definitions>(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, nowSeconds = Date.now() / 1_000 }: VerifyOptions = {},
): Promise<WebhookNotification<D>> {
  const body = bytesOf(rawBody)
  if (!body) throw new TypeError('rawBody: must be the body as it arrived, as text or bytes, not what was parsed of it')
  const { t, signatures } = parse(signatureOf(headers))
  const ageSeconds = Math.floor(nowSeconds) - Number(t)
  if (ageSeconds > toleranceSeconds)
    throw new WebhookVerificationError('expired_signature', `The signature is ${ageSeconds} s old.`)
  if (!(await isSigned(concatenate([encode(`${t}.`), body]), signatures, [secrets].flat())))
    throw new WebhookVerificationError('wrong_signature', 'The signature fits neither the body nor the secret.')
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as WebhookNotification<D>
  } catch {
    throw new WebhookVerificationError('malformed_body', 'The body is signed, but is not JSON.')
  }
}

function signatureOf(headers: HeadersLike): string {
  const value = typeof headers === 'string' ? headers : header(headers)
  if (!value) throw new WebhookVerificationError('missing_signature', 'There is no Service-Signature header.')
  return value
}

function header(headers: Exclude<HeadersLike, string>): string | null | undefined {
  if (typeof headers.get === 'function') return headers.get(HEADER)
  const name = Object.keys(headers).find((key) => key.toLowerCase() === HEADER)
  const value = name === undefined ? undefined : (headers as Record<string, string | readonly string[]>)[name]
  return typeof value === 'object' ? value.join(',') : value
}

/** While a secret is being rotated there are two signatures: with the new secret, and with the old one. */
function parse(value: string): { t: string; signatures: string[] } {
  const parts = value.split(',').map((part) => part.split('=') as [string, string | undefined])
  const of = (name: string) => parts.flatMap(([key, text]) => (key.trim() === name && text !== undefined ? [text] : []))
  const [t, ...others] = of('t')
  const signatures = of('v1').filter((text) => /^[0-9a-f]{64}$/.test(text))
  if (t === undefined || others.length > 0 || !/^\d{1,15}$/.test(t) || signatures.length === 0)
    throw new WebhookVerificationError('malformed_signature', 'The header is not t=<seconds>,v1=<64 hex digits>.')
  return { t, signatures }
}

/** The comparison is the one of Web Crypto, which takes the same time for every signature. */
async function isSigned(
  message: Uint8Array<ArrayBuffer>,
  signatures: string[],
  secrets: readonly string[],
): Promise<boolean> {
  if (secrets.length === 0 || secrets.some((secret) => !secret))
    throw new TypeError('secret: must be the secret of the subscription')
  const { subtle } = await webCrypto()
  for (const secret of secrets) {
    const key = await subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    for (const signature of signatures) if (await subtle.verify('HMAC', key, fromHex(signature), message)) return true
  }
  return false
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  )
}
