import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errors } from '../errors.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a request, and a hash of its method, path and body. */
export interface RequestKey {
  readonly key: string
  readonly fingerprint: string
  /** Whether the answer has a secret. */
  readonly isSecret?: boolean
}

/** The key of a request that writes, if it has one. `body` is the validated one. */
export function requestKey(
  { headers, method, url }: IncomingMessage,
  body: object | undefined,
  isSecret = false,
): RequestKey | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || method === 'GET' || method === 'HEAD') return undefined
  return {
    key: checkKey(String(key), 'Idempotency-Key'),
    fingerprint: fingerprintOf(method as string, url as string, body),
    isSecret,
  }
}

export function checkKey(key: string, param: string): string {
  if (!KEY.test(key)) throw errors.invalidParams([`${param}: must be 1 to 255 visible ASCII characters`])
  return key
}

/**
 * SHA-256 in hexadecimal digits. Of the meaning of a body and not of its text: clients may write the fields in another
 * order or with other spaces when they repeat a request, and an operation of a batch has no text of its own.
 */
export function fingerprintOf(method: string, url: string, body: object | null | undefined): string {
  return hash('sha256', `${method} ${withoutTrailingSlash(url)}\n${canonical(body ?? null, 0)}`)
}

/** A trailing slash is the same as none. */
function withoutTrailingSlash(url: string): string {
  return url.endsWith('/') || url.includes('/?') ? url.replace(/^([^?]+)\/(?=\?|$)/, '$1') : url
}

/** Deeper bodies would exhaust the stack. No valid request comes near it. */
const MOST_LEVELS = 100

/**
 * The same text for the same value, and another for any other: the first character tells the type, and a string has its
 * length in front. `JSON.stringify` of sorted copies took 1.5 times as long.
 */
function canonical(value: unknown, level: number): string {
  if (typeof value === 'string') return `"${value.length}:${value}`
  if (typeof value !== 'object' || value === null) return `,${value}`
  if (level === MOST_LEVELS) throw errors.invalidParams([`The body has more than ${MOST_LEVELS} levels`])
  let text = Array.isArray(value) ? '[' : '{'
  if (Array.isArray(value)) for (const item of value) text += canonical(item, level + 1)
  else for (const field of Object.keys(value).sort()) text += canonicalField(value, field, level)
  return `${text}}`
}

function canonicalField(value: object, field: string, level: number): string {
  const item = value[field as keyof typeof value]
  return item === undefined ? '' : canonical(field, level) + canonical(item, level + 1)
}
