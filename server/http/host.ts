import type { Socket } from 'node:net'
import { type ApiError, errors } from '../errors.ts'
import type { Exchange } from './exchange.ts'

// RFC 3986 allows more characters. They are refused, since URLs are built from the host.
const HOST = /^(?:[a-z0-9._~-]+|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i

/** Exactly one valid Host header, and at most one Authorization. HTTP/1.0 may have no Host. */
export function hostProblem({ request, connection }: Exchange): ApiError | undefined {
  const { host } = request.headers
  const repeated = repeatedHeader(request.rawHeaders)
  if (repeated !== undefined) return errors.invalidParams([`${repeated}: is given more than once`])
  if (host === undefined && request.httpVersion === '1.0') return undefined
  if (host === undefined) return errors.invalidParams(['Host: is required'])
  if (host === connection.validHost) return undefined
  if (!isHost(host)) return errors.invalidParams(['Host: must be a name or an address, and may have a port'])
  connection.validHost = host
  return undefined
}

export function isHost(host: string | undefined): host is string {
  return host !== undefined && HOST.test(host) && URL.canParse(`http://${host}`)
}

/** Node keeps only the first of several, and a proxy perhaps another. */
function repeatedHeader(rawHeaders: readonly string[]): 'Host' | 'Authorization' | undefined {
  let [hosts, authorizations] = [0, 0]
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1
  }
  if (hosts > 1) return 'Host'
  return authorizations > 1 ? 'Authorization' : undefined
}

/** The local address of a connection. */
export function localHost({ localAddress = '127.0.0.1', localPort }: Socket): string {
  const address = localAddress.replace(/^::ffff:/, '')
  return `${address.includes(':') ? `[${address}]` : address}:${localPort}`
}
