import { hash } from 'node:crypto'
import type { Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'

/**
 * Attempts to sign in, counted in the database for all nodes together. They are counted before the password is checked, so
 * that concurrent attempts count too.
 */

const WINDOW_MINUTES = 15
const MOST = { address: 30, account: 10 } as const

/** Throws when the address or the account had too many failures. */
export async function countAttempt(db: Queryable, address: string, email: string, now = Date.now()): Promise<void> {
  const at = new Date(now).toISOString()
  const [byAddress, byAccount] = await Promise.all([
    addAttempt(db, keyOf('address', address), at),
    addAttempt(db, keyOf('account', email.toLowerCase()), at),
  ])
  const over = [
    { ...byAddress, most: MOST.address },
    { ...byAccount, most: MOST.account },
  ].filter(({ attempts, most }) => attempts > most)
  if (over.length === 0) return
  const endsAt = Math.max(...over.map(({ window_ends_at }) => Date.parse(window_ends_at)))
  throw errors.tooManyAttempts(Math.max(1, Math.ceil((endsAt - now) / 1000)))
}

/** After a success: resets the count of the account, and takes one attempt off that of the address. */
export async function forgetAttempt(db: Queryable, address: string, email: string): Promise<void> {
  await db.query('delete from sign_in_attempts where key = $1::bytea', [keyOf('account', email.toLowerCase())])
  await db.query('update sign_in_attempts set attempts = attempts - 1 where key = $1::bytea and attempts > 0', [
    keyOf('address', address),
  ])
}

interface Window {
  attempts: number
  window_ends_at: string
}

/** Also deletes some expired rows. */
async function addAttempt(db: Queryable, key: Buffer, at: string): Promise<Window> {
  const [row] = await db.query<Window>(
    `with swept as (
       delete from sign_in_attempts
        where key in (select key from sign_in_attempts
                       where window_ends_at < $2::timestamptz and key <> $1::bytea
                       order by window_ends_at limit 100 for update skip locked)
     )
     insert into sign_in_attempts (key, window_ends_at, attempts)
     values ($1::bytea, $2::timestamptz + make_interval(mins => ${WINDOW_MINUTES}), 1)
     on conflict (key) do update
        set attempts = case when sign_in_attempts.window_ends_at < $2::timestamptz then 1
                            else sign_in_attempts.attempts + 1 end,
            window_ends_at = case when sign_in_attempts.window_ends_at < $2::timestamptz then excluded.window_ends_at
                                  else sign_in_attempts.window_ends_at end
     returning attempts, window_ends_at`,
    [key, at],
  )
  return row as Window
}

function keyOf(kind: keyof typeof MOST, text: string): Buffer {
  return hash('sha256', `${kind}\0${text}`, 'buffer')
}
