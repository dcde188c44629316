import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errors } from '../errors.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a request, and a hash of its method, path and body. */
export interface RequestKey {
  readonly key: string
  readonly fingerprint: string
}

/** The key of a request that writes, if it has one. `body` is the validated one. */
export function requestKey({ headers, method, url }: IncomingMessage, body?: object): RequestKey | undefined {
  const key = headers['idempotency-key']
  if (key === undefined || method === 'GET' || method === 'HEAD') return undefined
  return {
    key: checkKey(String(key), 'Idempotency-Key'),
    fingerprint: fingerprintOf(method as string, url as string, body),
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
  // A trailing slash is the same as none.
  const path = url.replace(/^([^?]+)\/(?=\?|$)/, '$1')
  return hash('sha256', `${method} ${path}\n${JSON.stringify(sorted(body ?? null, 0))}`)
}

/** Deeper bodies would exhaust the stack. No valid request comes near it. */
const MOST_LEVELS = 100

function sorted(value: unknown, level: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (level === MOST_LEVELS) throw errors.invalidParams([`The body has more than ${MOST_LEVELS} levels`])
  if (Array.isArray(value)) return value.map((item) => sorted(item, level + 1))
  const fields = Object.keys(value).sort()
  return Object.fromEntries(fields.map((field) => [field, sorted(value[field as keyof typeof value], level + 1)]))
}

/** `Usher-Notify: false` stores without notifying subscribers. */
export function wantsNotifications({ headers }: IncomingMessage): boolean {
  const header = headers['usher-notify']
  if (header === undefined || header === 'true') return true
  if (header === 'false') return false
  throw errors.invalidParams(['Usher-Notify: must be true or false'])
}
