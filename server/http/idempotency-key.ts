import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errors } from '../errors.ts'

const KEY = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key of a request, and a hash of its method, path and body. */
export interface RequestKey {
  readonly key: string
  readonly fingerprint: string
}

/** The key of a request that writes, if it has one. */
export function requestKey({ headers, method, url }: IncomingMessage, body?: Buffer): RequestKey | undefined {
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

/** SHA-256 in hexadecimal digits. */
export function fingerprintOf(method: string, url: string, body: Buffer | string = ''): string {
  const head = `${method} ${url}\n`
  return hash('sha256', typeof body === 'string' ? head + body : Buffer.concat([Buffer.from(head), body]))
}

/** `Usher-Notify: false` stores without notifying subscribers. */
export function wantsNotifications({ headers }: IncomingMessage): boolean {
  const header = headers['usher-notify']
  if (header === undefined || header === 'true') return true
  if (header === 'false') return false
  throw errors.invalidParams(['Usher-Notify: must be true or false'])
}
