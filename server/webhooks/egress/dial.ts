import { once } from 'node:events'
import { isIP, isIPv6, type LookupFunction, connect as openTcp, type Socket } from 'node:net'
import { createSecureContext, getCACertificates, connect as openTls, type SecureContext, TLSSocket } from 'node:tls'
import { failureText } from '../../../contract/delivery-failures.ts'
import { addressVerdict, isLoopback } from './addresses.ts'
import { certificateFailure, PlainFailure } from './failures.ts'
import { NameResolver } from './names.ts'
import type { Lookup } from './url.ts'

export interface DialOptions {
  allowPrivate: boolean
  connectTimeoutMs: number
  lookup?: Lookup
  /** Trusted in addition to the well-known authorities. */
  ca?: string
}

export interface DialTarget {
  host: string
  port: number
  secure: boolean
}

export interface DialTiming {
  nameMs?: number
  connectMs: number
  tlsMs?: number
}

/** The next address of the name is tried after this long. */
const NEXT_ADDRESS_MS = 1000

/**
 * Opens connections to vetted addresses only. The name is resolved here and the socket gets exactly the addresses that
 * were vetted, so a name that changes between two look-ups cannot bypass the check.
 */
export class Dialer {
  readonly #options: DialOptions
  readonly #lookup: Lookup
  readonly #trust: SecureContext

  constructor(options: DialOptions) {
    this.#options = options
    this.#lookup = sharedWhileRunning(options.lookup ?? new NameResolver().resolve)
    const { ca } = options
    this.#trust = createSecureContext(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] })
  }

  async dial(target: DialTarget): Promise<{ socket: Socket; timing: DialTiming }> {
    const limit = new AbortController()
    const { connectTimeoutMs } = this.#options
    const timer = setTimeout(() => limit.abort(), connectTimeoutMs)
    try {
      return await this.#open(target, limit.signal)
    } catch (error) {
      if (!limit.signal.aborted) throw error
      throw new PlainFailure(failureText('connect_timeout', `${connectTimeoutMs / 1000} s`), { cause: error })
    } finally {
      clearTimeout(timer)
    }
  }

  async #open(target: DialTarget, signal: AbortSignal): Promise<{ socket: Socket; timing: DialTiming }> {
    const started = performance.now()
    const addresses = await this.#vetted(target, signal)
    const resolved = performance.now()
    const socket = this.#socket(target, addresses)
    try {
      await once(socket, 'connect', { signal })
      const connected = performance.now()
      if (target.secure) await once(socket, 'secureConnect', { signal })
      const timing: DialTiming = { connectMs: connected - resolved }
      if (isIP(target.host) === 0) timing.nameMs = resolved - started
      if (target.secure) timing.tlsMs = performance.now() - connected
      return { socket, timing }
    } catch (error) {
      socket.destroy()
      const untrusted = socket instanceof TLSSocket && socket.authorizationError && error instanceof Error
      throw untrusted ? certificateFailure(error) : error
    }
  }

  /** One forbidden address refuses the whole name, as at creation: it is random which address would be used. */
  async #vetted({ host, secure }: DialTarget, signal: AbortSignal): Promise<string[]> {
    const addresses = isIP(host) === 0 ? await unlessAborted(this.#lookup(host), signal) : [host]
    if (addresses.length === 0) throw new PlainFailure(failureText('name_not_resolved'))
    for (const address of addresses) {
      const verdict = addressVerdict(address, this.#options)
      if (verdict !== 'ok') throw new PlainFailure(verdict)
      if (!secure && !isLoopback(address)) throw new PlainFailure(failureText('plain_http'))
    }
    return addresses
  }

  #socket({ host, port, secure }: DialTarget, addresses: string[]): Socket {
    const lookup: LookupFunction = (_name, _options, done) =>
      done(
        null,
        addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 })),
      )
    const tcp = { host, port, lookup, autoSelectFamily: true, autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS }
    const tls = { secureContext: this.#trust, rejectUnauthorized: true, ALPNProtocols: ['http/1.1'] }
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = secure ? openTls({ ...tcp, ...tls, ...name }) : openTcp(tcp)
    // undici listens to errors from its first use of the socket. An earlier error must not be uncaught.
    return socket.setNoDelay(true).on('error', () => {})
  }
}

/** Concurrent connections to the same name share one look-up. */
function sharedWhileRunning(lookup: Lookup): Lookup {
  const running = new Map<string, Promise<string[]>>()
  return (hostname) => {
    const shared = running.get(hostname) ?? lookup(hostname).finally(() => running.delete(hostname))
    running.set(hostname, shared)
    return shared
  }
}

async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  return Promise.race([work, aborted])
}
