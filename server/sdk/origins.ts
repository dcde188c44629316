import { sdkLimits } from '../../contract/sdk/limits.ts'
import type { Database } from '../database/database.ts'
import { errors } from '../errors.ts'
import { changePublicSide, type PublicChange } from './change.ts'
import { deleteOrigin, insertOrigin, listOrigins } from './origin-queries.ts'

/** This machine, with any port. What an environment allows until an origin is added. */
export const LOCALHOST = 'localhost'

/** Adds an origin. The first one keeps localhost, which can then be removed. */
export async function addOrigin(database: Database, change: PublicChange, given: string): Promise<string> {
  const origin = parseOrigin(given)
  const { environment } = change
  return await changePublicSide(database, change, async (transaction) => {
    const stored = await listOrigins(transaction, environment.id)
    if (stored.length >= sdkLimits.originsPerEnvironment)
      throw errors.conflict(`An environment has at most ${sdkLimits.originsPerEnvironment} origins. Remove one first.`)
    const at = new Date().toISOString()
    if (stored.length === 0) await insertOrigin(transaction, environment.id, LOCALHOST, at)
    const isNew = await insertOrigin(transaction, environment.id, origin, at)
    const entry = { action: 'origin.added', target: { id: origin } } as const
    return { result: origin, entry: isNew ? entry : undefined }
  })
}

/** Returns false when it was not there. */
export async function removeOrigin(database: Database, change: PublicChange, given: string): Promise<boolean> {
  const origin = parseOrigin(given)
  const { environment } = change
  return await changePublicSide(database, change, async (transaction) => {
    const removed = await deleteOrigin(transaction, environment.id, origin)
    if (removed && (await listOrigins(transaction, environment.id)).length === 0)
      throw errors.conflict('This is the only origin. Add another first.')
    return { result: removed, entry: removed ? { action: 'origin.removed', target: { id: origin } } : undefined }
  })
}

// The `*` stands for one or more labels before a name with a dot, so never for all sites of a top-level domain.
const ORIGIN = /^(https?:\/\/)(\*\.(?=[^.]+\.))?((?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?)\/?$/

export const ORIGIN_RULE =
  'must be such as https://app.example.com or https://*.example.com (a scheme, a host, perhaps a port, and no path), or localhost'

/** `https://app.example.com`, `https://*.example.com`, or `localhost`: in lower case, without a default port or a slash. */
export function parseOrigin(given: string): string {
  const origin = readOrigin(given)
  if (origin === undefined) throw errors.invalidParams([`origin: ${ORIGIN_RULE}`])
  return origin
}

/** Undefined when it could not be allowed. */
export function readOrigin(given: string): string | undefined {
  const text = given.trim().toLowerCase()
  if (text === LOCALHOST) return text
  const [, scheme, wildcard = '', host] = text.length > sdkLimits.originCharacters ? [] : (ORIGIN.exec(text) ?? [])
  if (host === undefined || !URL.canParse(`${scheme}${host}`)) return undefined
  return `${scheme}${wildcard}${new URL(`${scheme}${host}`).host}`
}

const LOCAL = /^https?:\/\/(?:localhost|[a-z0-9-]+\.localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

export function isAllowedOrigin(allowed: readonly string[], origin: string): boolean {
  return allowedBy(allowed, origin) !== undefined
}

/** What of the list allows a page of this origin. Browsers send an origin in lower case, without its default port. */
export function allowedBy(allowed: readonly string[], origin: string): string | undefined {
  return allowed.find((one) => {
    if (one === origin) return true
    if (one === LOCALHOST) return LOCAL.test(origin)
    const star = one.indexOf('*')
    if (star < 0) return false
    const [start, end] = [one.slice(0, star), one.slice(star + 1)]
    return origin.length > start.length + end.length && origin.startsWith(start) && origin.endsWith(end)
  })
}
