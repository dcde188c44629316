import { hash, randomBytes } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Random base-32 characters, each of 5 bits. */
export function randomText(characters: number): string {
  return Array.from(randomBytes(characters), (byte) => ALPHABET[byte & 31]).join('')
}

/** `ak_` and 26 base-32 characters: 130 bits. */
export function newKey(): string {
  return `ak_${randomText(26)}`
}

/** The stored hash. A key has far more entropy than a password, so a plain hash is enough. */
export function hashKey(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/** What is shown of a key after its creation. */
export function keyHints(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, 6), lastFour: key.slice(-4) }
}
