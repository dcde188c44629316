import ipaddr from 'ipaddr.js'

/** What counts as one address: of IPv6 its /64, which is what one customer of a provider gets at least. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : (parsed as ipaddr.IPv6).parts.slice(0, 4).join(':')
}
