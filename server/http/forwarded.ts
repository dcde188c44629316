import type { IncomingMessage } from 'node:http'

const FORWARDING = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
]

/** A proxy on this machine forwards requests from elsewhere, although it connects from loopback. */
export function wasForwarded({ headers }: IncomingMessage): boolean {
  return FORWARDING.some((name) => headers[name] !== undefined)
}
