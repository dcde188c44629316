import { BlockList, isIP } from 'node:net'
import { StartupError } from '../startup-error.ts'

const PRIVATE = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '::1/128', 'fc00::/7']

interface PlainHttp {
  readonly requireHttps: 'remote' | 'always' | 'never'
  readonly plainNetworks: readonly string[]
  readonly tls: object | undefined
}

/** Plain HTTP is accepted only from configured private networks: on the internet the key would not be secret. */
export function checkPlainHttp({ requireHttps, plainNetworks, tls }: PlainHttp): void {
  if (requireHttps !== 'never') {
    if (plainNetworks.length === 0) return
    throw new StartupError('USHER_PLAIN_HTTP_NETWORKS is for USHER_REQUIRE_HTTPS=never: set both, or neither.')
  }
  if (tls) throw new StartupError('USHER_REQUIRE_HTTPS=never does not go with USHER_TLS_CERT: leave one out.')
  if (plainNetworks.length === 0) {
    throw new StartupError(
      'USHER_REQUIRE_HTTPS=never needs USHER_PLAIN_HTTP_NETWORKS: the private networks whose requests may come over plain HTTP, such as 10.0.0.0/8.',
    )
  }
  const wrong = plainNetworks.find((network) => !PRIVATE.some((range) => isWithin(network, range)))
  if (wrong !== undefined)
    throw new StartupError(`USHER_PLAIN_HTTP_NETWORKS: ${wrong} is not a private network (${PRIVATE.join(', ')}).`)
}

function isWithin(network: string, range: string): boolean {
  const [address, bits] = parts(network)
  const [base, baseBits] = parts(range)
  if (isIP(address) !== isIP(base) || bits < baseBits) return false
  const list = new BlockList()
  const family = isIP(base) === 6 ? 'ipv6' : 'ipv4'
  list.addSubnet(base, baseBits, family)
  return list.check(address, family)
}

function parts(network: string): [address: string, bits: number] {
  const [address, bits] = network.split('/') as [string, string | undefined]
  return [address, Number(bits ?? (isIP(address) === 6 ? 128 : 32))]
}
