import { createCipheriv, createDecipheriv, createHash, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const MARK = 'sealed:1:'
const NONCE_BYTES = 12
const TAG_BYTES = 16
export const KEY_BYTES = 32

/** A sealed secret that is the whole text, or a string in JSON. */
const SEALED = /(?<=^|")sealed:1:[0-9a-f]+:[\w-]+(?=$|")/g

/**
 * Seals secrets before they are stored, and opens them again: `sealed:1:<id of the key>:<nonce, ciphertext and tag>`.
 * A sealed secret opens only at its place (such as `webhook 7 0198…`), so that one row's cannot be copied to another.
 * Without a key, secrets are stored as they are. Secrets from before there was a key are opened as they are.
 * The other key opens what is sealed with it, and seals nothing: for the time of a rotation (server/secrets/rotate.ts).
 */
export class SecretBox {
  readonly #key: KeyObject | undefined
  /** By their ids. */
  readonly #opening = new Map<string, KeyObject>()
  /** Names the key without telling anything about it. Undefined without a key. */
  readonly keyId: string | undefined

  constructor(key?: Buffer, otherKey?: Buffer) {
    for (const each of [key, otherKey]) if (each) this.#opening.set(idOf(each), createSecretKey(each))
    this.keyId = key && idOf(key)
    this.#key = this.keyId === undefined ? undefined : this.#opening.get(this.keyId)
  }

  /** Whether it opens what is sealed with this key. */
  opens(keyId: string): boolean {
    return this.#opening.has(keyId)
  }

  seal(secret: string, place: string): string {
    if (!this.#key) return secret
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([nonce, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${MARK}${this.keyId}:${sealed.toString('base64url')}`
  }

  open(stored: string, place: string): string {
    if (!isSealed(stored)) return stored
    const [keyId, text] = stored.slice(MARK.length).split(':') as [string, string]
    const key = this.#opening.get(keyId)
    if (!key) throw new Error(`a secret is sealed with the key ${keyId}, which is not here`)
    const sealed = Buffer.from(text, 'base64url')
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(place)).setAuthTag(sealed.subarray(-TAG_BYTES))
    return decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  }

  /** Each sealed secret of a text, sealed with the key of this box. */
  reseal(stored: string, place: string): string {
    return stored.replace(SEALED, (sealed) => this.seal(this.open(sealed, place), place))
  }
}

function idOf(key: Buffer): string {
  return createHash('sha256').update('usher key id\n').update(key).digest('hex').slice(0, 12)
}

export function isSealed(stored: string): boolean {
  return stored.startsWith(MARK)
}
