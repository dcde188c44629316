import { parseCookie, stringifySetCookie } from 'cookie'
import { SESSION_DAYS } from '../members/sessions.ts'

/** `__Host-` binds the cookie to this host, to HTTPS and to `/`; browsers accept it over HTTPS only. */
function nameOf(isSecure: boolean): string {
  return isSecure ? '__Host-usher' : 'usher'
}

export function readToken(header: string | undefined, isSecure: boolean): string | undefined {
  return header === undefined ? undefined : parseCookie(header)[nameOf(isSecure)]
}

export function sessionCookie(token: string, isSecure: boolean): { 'set-cookie': string } {
  return { 'set-cookie': cookie(token, isSecure, SESSION_DAYS * 24 * 60 * 60) }
}

export function endedCookie(isSecure: boolean): { 'set-cookie': string } {
  return { 'set-cookie': cookie('', isSecure, 0) }
}

function cookie(value: string, isSecure: boolean, maxAge: number): string {
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/', maxAge } as const
  return stringifySetCookie({ name: nameOf(isSecure), value, ...attributes })
}
