import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { failureText } from '../../../contract/delivery-failures.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6

export interface AddressPolicy {
  allowPrivate: boolean
}

/** These addresses serve the credentials of the machine, so no setting allows them (S-PRIVATE-TARGETS). */
const METADATA = new Set(
  [
    '169.254.169.254', // AWS, Google, Azure, DigitalOcean, Oracle, OpenStack
    '169.254.170.2', // AWS ECS task credentials
    '169.254.170.23', // AWS EKS pod identity
    '169.254.42.42', // Scaleway
    '169.254.0.23', // Tencent
    '168.63.129.16', // Azure wire server; ipaddr.js calls it unicast
    '100.100.100.200', // Alibaba
    '192.0.0.192', // Oracle
    'fd00:ec2::254', // AWS
    'fd00:ec2::23', // AWS EKS pod identity
    'fd20:ce::254', // Google
    'fd00:42::42', // Scaleway
  ].map((text) => ipaddr.parse(text).toNormalizedString()),
)

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * IPv6 ranges that carry an IPv4 address, and the bytes that hold it. A gateway unwraps them, so the inner
 * address is checked. The local NAT64 prefix has a position for each prefix length of RFC 6052.
 */
const WRAPPERS: [prefix: [ipaddr.IPv6, number], places: number[][]][] = [
  [ipaddr.IPv6.parseCIDR('::/96'), [[12, 13, 14, 15]]],
  [ipaddr.IPv6.parseCIDR('::ffff:0:0/96'), [[12, 13, 14, 15]]],
  [ipaddr.IPv6.parseCIDR('::ffff:0:0:0/96'), [[12, 13, 14, 15]]],
  [ipaddr.IPv6.parseCIDR('64:ff9b::/96'), [[12, 13, 14, 15]]],
  [
    ipaddr.IPv6.parseCIDR('64:ff9b:1::/48'),
    [
      [6, 7, 9, 10],
      [7, 9, 10, 11],
      [9, 10, 11, 12],
      [12, 13, 14, 15],
    ],
  ],
  [ipaddr.IPv6.parseCIDR('2002::/16'), [[2, 3, 4, 5]]],
  [ipaddr.IPv6.parseCIDR('2001::/32'), [[4, 5, 6, 7]]],
]

const WORDS: Record<string, string> = {
  uniqueLocal: 'private',
  linkLocal: 'link-local',
  carrierGradeNat: 'private (carrier-grade NAT)',
  deprecatedSiteLocal: 'private (site-local)',
  private: 'private',
  loopback: 'loopback',
  unspecified: 'unspecified',
  multicast: 'multicast',
  broadcast: 'broadcast',
}

/** Whether a notification may be sent to this IP address: `ok`, or the reason why not. */
export function addressVerdict(ip: string, policy: AddressPolicy): string {
  if (isIP(ip) === 0) return `${ip} is not an IP address`
  if (ip.includes('%')) return failureText('address_forbidden', `${ip} has a zone`)
  const address = ipaddr.parse(ip)
  const inner = address instanceof ipaddr.IPv6 ? innerAddresses(address) : []
  if ([address, ...inner].some(isMetadata)) return failureText('address_forbidden', `${ip} is a cloud metadata address`)
  if (policy.allowPrivate) return 'ok'
  const word = specialWord(address) ?? inner.map(specialWord).find((found) => found !== undefined)
  return word === undefined ? 'ok' : failureText('address_forbidden', `${ip} is ${word}`)
}

export function isLoopback(ip: string): boolean {
  return isIP(ip) !== 0 && ipaddr.process(ip).range() === 'loopback'
}

function specialWord(address: Address): string | undefined {
  const range = address.range()
  if (range !== 'unicast') return WORDS[range] ?? 'special'
  // ipaddr.js calls everything it has no name for unicast; the Internet's IPv6 addresses are all in 2000::/3.
  return address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST) ? 'special' : undefined
}

function innerAddresses(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray()
  const places = WRAPPERS.flatMap(([prefix, found]) => (address.match(prefix) ? found : []))
  const inner = places.map((place) => place.map((index) => bytes[index] ?? 0))
  const tail = bytes.slice(12)
  // Teredo stores the client's address inverted; ISATAP puts it after a fixed mark under any prefix.
  if (address.range() === 'teredo') inner.push(tail.map((byte) => byte ^ 0xff))
  if (/^0[02]005efe$/.test(Buffer.from(bytes.slice(8, 12)).toString('hex'))) inner.push(tail)
  return inner.map((octets) => new ipaddr.IPv4(octets))
}

function isMetadata(address: Address): boolean {
  return METADATA.has(address.toNormalizedString())
}
