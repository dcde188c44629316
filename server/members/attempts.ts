import { hash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'

/**
 * Attempts to sign in, counted in the database for all nodes together. They are counted before the password is checked, so
 * that concurrent attempts count too.
 */

const WINDOW_MINUTES = 15
const MOST = { address: 30, account: 10, browser: 10, link: 10 } as const
type Kind = keyof typeof MOST

/**
 * Throws when the address had too many failures, or the account. An address over its limit does not count for the account: one
 * machine alone cannot lock a member out for long. A browser that the member has signed in with before counts by itself alone:
 * others at its address, behind one router or proxy, cannot lock it out.
 */
export async function countAttempt(
  db: Queryable,
  address: string,
  email: string,
  browser?: string,
  now = Date.now(),
): Promise<void> {
  if (browser !== undefined) return await count(db, 'browser', browser, now)
  await count(db, 'address', networkOf(address), now)
  await count(db, 'account', email.toLowerCase(), now)
}

/** Throws when a link was tried too often, or links from this address. */
export async function countLinkUse(db: Queryable, address: string, token: string, now = Date.now()): Promise<void> {
  await count(db, 'address', networkOf(address), now)
  await count(db, 'link', token, now)
}

/** After a success: resets the counts of the account and the browser, and takes the attempt off that of the address. */
export async function forgetAttempt(db: Queryable, address: string, email: string, browser?: string): Promise<void> {
  const keys = [keyOf('account', email.toLowerCase()), ...(browser === undefined ? [] : [keyOf('browser', browser)])]
  await db.query('delete from sign_in_attempts where key = any($1::bytea[])', [keys])
  if (browser !== undefined) return
  await db.query('update sign_in_attempts set attempts = attempts - 1 where key = $1::bytea and attempts > 0', [
    keyOf('address', networkOf(address)),
  ])
}

/** A machine with IPv6 has all addresses of its /64. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const [head = '', tail = ''] = (address.split('%')[0] as string).split('::')
  const groups = head.split(':').filter(Boolean)
  const last = tail.split(':').filter(Boolean)
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0')
  const all = address.includes('::') ? [...groups, ...zeros, ...last] : groups
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

async function count(db: Queryable, kind: Kind, text: string, now: number): Promise<void> {
  const { attempts, window_ends_at } = await addAttempt(db, keyOf(kind, text), new Date(now).toISOString())
  if (attempts <= MOST[kind]) return
  throw errors.tooManyAttempts(Math.max(1, Math.ceil((Date.parse(window_ends_at) - now) / 1000)))
}

interface Window {
  attempts: number
  window_ends_at: string
}

/** A window that lasts longer than any was begun while the clock was ahead. */
const IS_OVER = `(sign_in_attempts.window_ends_at < $2::timestamptz
                  or sign_in_attempts.window_ends_at > $2::timestamptz + make_interval(mins => ${2 * WINDOW_MINUTES}))`

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
        set attempts = case when ${IS_OVER} then 1 else sign_in_attempts.attempts + 1 end,
            window_ends_at = case when ${IS_OVER} then excluded.window_ends_at else sign_in_attempts.window_ends_at end
     returning attempts, window_ends_at`,
    [key, at],
  )
  return row as Window
}

function keyOf(kind: Kind, text: string): Buffer {
  return hash('sha256', `${kind}\0${text}`, 'buffer')
}
