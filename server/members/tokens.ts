import { hash, randomBytes } from 'node:crypto'

/** A secret of a session or a one-time link. It has 256 bits, so a plain hash of it can be stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
