import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { type ApiError, errors } from '../errors.ts'
import { type Config, isLoopbackHost } from '../settings/config.ts'
import type { Peer } from './connection.ts'
import type { Exchange } from './exchange.ts'
import { wasForwarded } from './forwarded.ts'
import { hostProblem, isHost, localHost } from './host.ts'

/** The peer and the protocol of a request: the rules for plain HTTP and for proxies. */
export class Transport {
  readonly #trusted = new BlockList()
  readonly #loopback = new BlockList()
  readonly #plain = new BlockList()
  readonly #requireHttps: Config['requireHttps']
  readonly #baseUrl: string | undefined
  readonly #hasTls: boolean

  constructor({
    trustedProxies,
    requireHttps,
    plainNetworks,
    baseUrl,
    tls,
  }: Pick<Config, 'trustedProxies' | 'requireHttps' | 'plainNetworks' | 'baseUrl' | 'tls'>) {
    this.#requireHttps = requireHttps
    this.#baseUrl = baseUrl
    this.#hasTls = tls !== undefined
    this.#loopback.addSubnet('127.0.0.0', 8, 'ipv4')
    this.#loopback.addAddress('::1', 'ipv6')
    for (const proxy of trustedProxies) addNetwork(this.#trusted, proxy)
    if (requireHttps === 'never') for (const network of plainNetworks) addNetwork(this.#plain, network)
  }

  /** "A request over plain HTTP fails", except on a direct connection on this machine: one that no proxy forwarded. */
  problem(exchange: Exchange): ApiError | undefined {
    const forwarded = this.#forwardedHost(exchange)
    if (forwarded !== undefined && !isHost(forwarded))
      return errors.invalidParams(['X-Forwarded-Host: must be a name or an address, and may have a port'])
    return this.isSecure(exchange) || this.#isPlainAccepted(exchange) ? undefined : errors.httpsRequired()
  }

  /** A direct connection on this machine or from a configured private network, without a configured certificate. */
  #isPlainAccepted(exchange: Exchange): boolean {
    if (this.#hasTls || this.#requireHttps === 'always' || wasForwarded(exchange.request)) return false
    const { isLoopback, isPrivate } = this.#peer(exchange)
    return isLoopback || isPrivate
  }

  /** Over TLS, or marked so by a trusted proxy. Marks of other peers are ignored. */
  isSecure(exchange: Exchange): boolean {
    const { socket, headers } = exchange.request
    if ((socket as { encrypted?: boolean }).encrypted === true) return true
    return this.#isFromProxy(exchange) && lastOf(headers['x-forwarded-proto']) === 'https'
  }

  /** Sent by this machine to this machine. A page of another site can send its browser here under a name of its own. */
  isFromThisMachine(exchange: Exchange): boolean {
    const { request } = exchange
    return this.#peer(exchange).isLoopback && !wasForwarded(request) && namesLoopback(request.headers.host)
  }

  /** The base of `url` and `next_page_url`. */
  baseUrl(exchange: Exchange): string {
    if (this.#baseUrl !== undefined) return this.#baseUrl
    const { headers, socket } = exchange.request
    const named = this.#forwardedHost(exchange) ?? headers.host
    const host = isHost(named) && hostProblem(exchange) === undefined ? named : localHost(socket)
    return `${this.isSecure(exchange) || !this.#isPlainAccepted(exchange) ? 'https' : 'http'}://${host}`
  }

  /** The same for bytes that are not a request. */
  addressOf(socket: Socket): string {
    return this.#baseUrl ?? `${this.#hasTls ? 'https' : 'http'}://${localHost(socket)}`
  }

  #forwardedHost(exchange: Exchange): string | undefined {
    return this.#isFromProxy(exchange) ? lastOf(exchange.request.headers['x-forwarded-host']) : undefined
  }

  /** The origin of the dashboard, as a browser sends it in `Origin`. */
  origin(exchange: Exchange): string {
    return new URL(this.baseUrl(exchange)).origin
  }

  /**
   * The address of the client: the peer of the connection, or the address that a trusted proxy names. Each proxy appends
   * the address that it was called from, so those of trusted proxies are skipped from the right.
   */
  clientAddress(exchange: Exchange): string {
    const { socket, headers } = exchange.request
    const named = this.#isFromProxy(exchange) ? valuesOf(headers['x-forwarded-for']) : []
    const client = named.findLast((address) => !matches(this.#trusted, address)) ?? named[0]
    return (client ?? socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  }

  /** Whether the peer is a trusted proxy that marks the request as forwarded. Without the mark it is an ordinary peer. */
  #isFromProxy(exchange: Exchange): boolean {
    return exchange.request.headers['x-forwarded-proto'] !== undefined && this.#peer(exchange).isTrusted
  }

  /** Looked up once for each connection: the look-up costs more than everything else here. */
  #peer({ connection, request }: Exchange): Peer {
    connection.peer ??= {
      isLoopback: matches(this.#loopback, request.socket.remoteAddress),
      isTrusted: matches(this.#trusted, request.socket.remoteAddress),
      isPrivate: matches(this.#plain, request.socket.remoteAddress),
    }
    return connection.peer
  }
}

function namesLoopback(host: string | undefined): boolean {
  return host === undefined || isLoopbackHost(host.replace(/:\d*$/, '').replace(/^\[|\]$/g, ''))
}

/** Each proxy appends a value. The last one is that of the trusted proxy. */
function lastOf(header: string | string[] | undefined): string | undefined {
  return valuesOf(header).at(-1)
}

function valuesOf(header: string | string[] | undefined): string[] {
  if (header === undefined) return []
  return String(header)
    .split(',')
    .map((value) => value.trim().toLowerCase())
}

function addNetwork(list: BlockList, network: string): void {
  const [address, bits] = network.split('/') as [string, string | undefined]
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
}

function matches(list: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}
