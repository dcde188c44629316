import type { IncomingMessage } from 'node:http'
import { errors } from '../errors.ts'

/** `Usher-Notify: false` stores without notifying subscribers. */
export function wantsNotifications({ headers }: IncomingMessage): boolean {
  const header = headers['usher-notify']
  if (header === undefined || header === 'true') return true
  if (header === 'false') return false
  throw errors.invalidParams(['Usher-Notify: must be true or false'])
}
