import type { IncomingMessage } from 'node:http'

/**
 * A proxy on this machine forwards requests from elsewhere, although it connects from loopback. Each header by its name: a
 * look-up by a variable took 0.05 µs, of every request.
 */
export function wasForwarded({ headers }: IncomingMessage): boolean {
  return (
    headers.forwarded !== undefined ||
    headers.via !== undefined ||
    headers['x-forwarded-for'] !== undefined ||
    headers['x-forwarded-host'] !== undefined ||
    headers['x-forwarded-port'] !== undefined ||
    headers['x-forwarded-proto'] !== undefined ||
    headers['x-forwarded-server'] !== undefined ||
    headers['x-real-ip'] !== undefined
  )
}
