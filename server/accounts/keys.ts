import { hash, randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** `ak_` and 26 base-32 characters: 130 bits. */
export function newKey(): string {
  return `ak_${Array.from(randomBytes(26), (byte) => ALPHABET[byte & 31]).join('')}`
}

/** The stored hash. A key has far more entropy than a password, so a plain hash is enough. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** What is shown of a key after its creation. */
export function keyHints(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, 6), lastFour: key.slice(-4) }
}
