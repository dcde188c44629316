import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { errors } from '../errors.ts'

/**
 * Passwords are stored as `scrypt$<N>$<r>$<p>$<salt>$<hash>`, so that the cost can be raised later without a migration.
 * 32 MB and about 0.2 s each: OWASP's recommendation for scrypt with the least memory per check that it names.
 */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const
const SALT_BYTES = 16
const HASH_BYTES = 32

/** A check takes 32 MB and a thread of the pool. More at once would slow everything that shares the pool. */
const MOST_AT_ONCE = 2
const MOST_WAITING = 50

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derive(password, salt, COST)
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

/** Takes as long without a stored password, so that the time does not reveal which e-mail addresses are known. */
export async function isPassword(password: string, stored: string | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$')
  const derived = await derive(password, Buffer.from(salt, 'base64url'), { N: Number(N), r: Number(r), p: Number(p) })
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && stored !== undefined
}

const NOBODY = `scrypt$${COST.N}$${COST.r}$${COST.p}$${randomBytes(SALT_BYTES).toString('base64url')}$${randomBytes(HASH_BYTES).toString('base64url')}`

let active = 0
const waiting: (() => void)[] = []

async function derive(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  if (active >= MOST_AT_ONCE) await turn()
  else active += 1
  try {
    return await run(password.normalize('NFKC'), salt, cost)
  } finally {
    const next = waiting.shift()
    if (next) next()
    else active -= 1
  }
}

async function turn(): Promise<void> {
  if (waiting.length >= MOST_WAITING) throw errors.overloaded()
  await new Promise<void>((resolve) => waiting.push(resolve))
}

async function run(password: string, salt: Buffer, cost: ScryptOptions): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, { ...cost, maxmem: 64 * 1024 * 1024 }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })
}
