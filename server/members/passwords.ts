import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { errors } from '../errors.ts'

/**
 * Passwords are stored as `scrypt$<N>$<r>$<p>$<salt>$<hash>`, so that the cost can be raised later without a migration.
 * 32 MB and about 0.2 s each: OWASP's recommendation for scrypt with the least memory per check that it names.
 */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await changes.run(() => derive(password, salt, COST))
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long without a stored password, so that the time does not reveal which e-mail addresses are known. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await checks.run(() => derive(password, Buffer.from(salt, 'base64url'), cost))
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== undefined
}

const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${randomBytes(SALT_BYTES).toString('base64url')}$${randomBytes(HASH_BYTES).toString('base64url')}`

/** Derivations take turns. Each takes 32 MB and a thread of the pool; more at once would slow everything that shares the pool. */
class Turns {
  readonly #mostAtOnce: number
  readonly #mostWaiting: number
  readonly #waiting: (() => void)[] = []
  #active = 0

  constructor(mostAtOnce: number, mostWaiting: number) {
    this.#mostAtOnce = mostAtOnce
    this.#mostWaiting = mostWaiting
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#active >= this.#mostAtOnce) await this.#turn()
    else this.#active += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#active -= 1
    }
  }

  async #turn(): Promise<void> {
    if (this.#waiting.length >= this.#mostWaiting) throw errors.overloaded()
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }
}

/** Signing in and setting a password have turns of their own: many uses of links do not keep anybody from signing in. */
const checks = new Turns(2, 50)
const changes = new Turns(1, 8)

async function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })
}
