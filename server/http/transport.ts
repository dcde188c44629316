import { BlockList, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { type ApiError, errors } from '../errors.ts'

interface Peer {
  isLoopback: boolean
  isTrusted: boolean
}

/** Who a request comes from, and over what: the rules for plain HTTP and for proxies. */
export class Transport {
  readonly #trusted = new BlockList()
  readonly #loopback = new BlockList()
  readonly #peers = new WeakMap<object, Peer>()
  readonly #requireHttps: Config['requireHttps']
  readonly #baseUrl: string | undefined

  constructor({ trustedProxies, requireHttps, baseUrl }: Pick<Config, 'trustedProxies' | 'requireHttps' | 'baseUrl'>) {
    this.#requireHttps = requireHttps
    this.#baseUrl = baseUrl
    this.#loopback.addSubnet('127.0.0.0', 8, 'ipv4')
    this.#loopback.addAddress('::1', 'ipv6')
    for (const proxy of trustedProxies) {
      const [address, bits] = proxy.split('/') as [string, string | undefined]
      const family = isIPv6(address) ? 'ipv6' : 'ipv4'
      this.#trusted.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
    }
  }

  /** "A request over plain HTTP fails", but for a direct connection on this machine. */
  problem(request: FastifyRequest): ApiError | undefined {
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      return errors.invalidParams(['Host: is required'])
    if (this.isSecure(request)) return undefined
    const direct = !this.#isFromProxy(request)
    if (direct && this.#requireHttps !== 'always' && this.isLoopback(request)) return undefined
    return errors.httpsRequired()
  }

  /** Over TLS, or marked so by a proxy that we trust; anybody else's mark counts for nothing. */
  isSecure(request: FastifyRequest): boolean {
    if ((request.raw.socket as { encrypted?: boolean }).encrypted === true) return true
    return this.#isFromProxy(request) && lastOf(request.headers['x-forwarded-proto']) === 'https'
  }

  isLoopback(request: FastifyRequest): boolean {
    return this.#peer(request).isLoopback
  }

  /** The address that `url` and `next_page_url` are built on. */
  baseUrl(request: FastifyRequest): string {
    if (this.#baseUrl !== undefined) return this.#baseUrl
    const forwarded = this.#isFromProxy(request) ? lastOf(request.headers['x-forwarded-host']) : undefined
    const host = forwarded ?? request.headers.host ?? 'localhost'
    return `${this.isSecure(request) ? 'https' : 'http'}://${host}`
  }

  /** A trusted proxy that marks what it forwards; without a mark it is an ordinary peer. */
  #isFromProxy(request: FastifyRequest): boolean {
    return request.headers['x-forwarded-proto'] !== undefined && this.#peer(request).isTrusted
  }

  /** Found out once for each connection: the look-up costs more than everything else here. */
  #peer({ raw: { socket } }: FastifyRequest): Peer {
    const known = this.#peers.get(socket)
    if (known) return known
    const peer = {
      isLoopback: matches(this.#loopback, socket.remoteAddress),
      isTrusted: matches(this.#trusted, socket.remoteAddress),
    }
    this.#peers.set(socket, peer)
    return peer
  }
}

/** Each proxy appends what it saw; the last is the one that we trust. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return [header].flat().at(-1)?.split(',').at(-1)?.trim().toLowerCase()
}

function matches(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  return list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
