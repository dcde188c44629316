import { parseCookie, stringifySetCookie } from 'cookie'
import { SESSION_DAYS } from '../members/sessions.ts'

const DAY_SECONDS = 24 * 60 * 60
/** How long a browser is remembered after its last sign-in. */
const BROWSER_DAYS = 365

const names = { session: 'usher', browser: 'usher-browser' } as const

/** `__Host-` binds the cookie to this host, to HTTPS and to `/`; browsers accept it over HTTPS only. */
function nameOf(kind: keyof typeof names, isSecure: boolean): string {
  return isSecure ? `__Host-${names[kind]}` : names[kind]
}

export function readToken(
  header: string | undefined,
  isSecure: boolean,
  kind: keyof typeof names = 'session',
): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[nameOf(kind, isSecure)]
}

export function sessionCookie(token: string, isSecure: boolean): string {
  return cookie('session', token, isSecure, SESSION_DAYS * DAY_SECONDS)
}

/** It stays after a sign-out: it signs nobody in. */
export function browserCookie(token: string, isSecure: boolean): string {
  return cookie('browser', token, isSecure, BROWSER_DAYS * DAY_SECONDS)
}

export function endedCookie(isSecure: boolean): string {
  return cookie('session', '', isSecure, 0)
}

function cookie(kind: keyof typeof names, value: string, isSecure: boolean, maxAge: number): string {
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge } as const
  return stringifySetCookie({ name: nameOf(kind, isSecure), value, ...attributes })
}
