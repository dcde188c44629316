import { isIP } from 'node:net'
import { limits } from '../../../contract/limits.ts'
import { type AddressPolicy, addressVerdict, isLoopback } from './addresses.ts'

/** Gives every address of a name; rejects when there is none. */
export type Lookup = (hostname: string) => Promise<string[]>

const LOOKUP_TIMEOUT_MS = 5000

/** S-WEBHOOK-URL, and the checks of the address that need no name resolution. Returns the problem, if there is one. */
export function checkWebhookUrl(text: string, policy: AddressPolicy): string | undefined {
  if (text.length > limits.urlCharacters) return `must have at most ${limits.urlCharacters} characters`
  // The URL parser removes tabs and line ends: the stored text would differ from the checked URL.
  if (/[\s\p{Cc}]/u.test(text)) return 'must not contain spaces or control characters'
  // The parser reads `\` as `/`, and takes any number of slashes before the host: other programs read another host there.
  if (text.includes('\\')) return 'must not contain a backslash'
  const url = /^https?:\/\/[^/?]/i.test(text) ? URL.parse(text) : null
  if (!url) return schemeRule(policy)
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password'
  if (text.includes('#')) return 'must not contain a fragment'
  return checkHost(url, policy)
}

/**
 * The part of S-PRIVATE-TARGETS that needs the network, for creation. A name that cannot be resolved now is accepted: every
 * connection resolves and vets it again.
 */
export async function resolvesToAllowed(
  text: string,
  policy: AddressPolicy,
  lookup: Lookup,
): Promise<string | undefined> {
  const host = hostOf(new URL(text))
  if (isIP(host) !== 0) return undefined
  const addresses = await lookupInTime(host, lookup)
  const verdict = addresses.map((address) => addressVerdict(address, policy)).find((found) => found !== 'ok')
  return verdict && `must not lead to a private target: ${verdict}`
}

/** The host for name resolution: without the brackets of IPv6 and the final dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$|\.$/g, '')
}

/** The URL parser has already normalised every form of an IPv4 address (hex, octal, short, full-width) to 1.2.3.4. */
function checkHost(url: URL, policy: AddressPolicy): string | undefined {
  const host = hostOf(url)
  if (hasEmptyLabel(host)) return 'must have a host name without empty parts between its dots'
  if (url.port === '0') return 'must not have the port 0'
  const local = isLocalName(host)
  if (local && !policy.allowPrivate) return `must not lead to a private target: ${host} is loopback`
  const verdict = isIP(host) === 0 ? 'ok' : addressVerdict(host, policy)
  if (verdict !== 'ok') return `must not lead to a private target: ${verdict}`
  if (url.protocol === 'http:' && !local && !isLoopback(host)) return schemeRule(policy)
  return undefined
}

/** `a..b` and `.a`: no name server knows them. */
function hasEmptyLabel(host: string): boolean {
  return host.split('.').includes('') && isIP(host) === 0
}

function schemeRule({ allowPrivate }: AddressPolicy): string {
  return `must be an absolute https: URL${allowPrivate ? ', or an http: URL of this machine' : ''}`
}

/** Names that always mean this machine (RFC 6761), whatever a name server answers. */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

async function lookupInTime(host: string, lookup: Lookup): Promise<string[]> {
  const { promise: late, resolve } = Promise.withResolvers<string[]>()
  const timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS, [])
  try {
    return await Promise.race([lookup(host), late])
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}
