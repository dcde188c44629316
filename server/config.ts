import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { nearest } from './nearest.ts'
import { StartupError } from './startup-error.ts'

/** Every setting, read once from the environment and handed in; nothing else reads `process.env`. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Standbys of that database, from which lists may be read. */
  readonly replicaUrls: readonly string[]
  readonly replicaMaxLagMs: number
  readonly firstApiKey: string | undefined
  readonly baseUrl: string | undefined
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
  readonly trustedProxies: readonly string[]
  readonly requireHttps: 'remote' | 'always' | 'never'
  /** The private networks that `never` is for. */
  readonly plainNetworks: readonly string[]
  readonly webhookAllowPrivate: boolean
  readonly webhookHeaderPrefix: string | undefined
  readonly workers: number
  readonly logLevel: string
  readonly databaseConnections: number
  readonly maxActiveRequests: number
  readonly metricsToken: string | undefined
  /** How long a server keeps serving after a stop signal, until load balancers have noticed /readyz. */
  readonly shutdownDelayMs: number
  /** Started by `npm start` or `npx`: the server ends when npm does. */
  readonly underNpm: boolean
}

/** Variables that the examples of our documents read. They may be set beside our settings. */
const OF_CLIENTS = ['USHER_URL', 'USHER_WEBHOOK_SECRET']
const HTTPS_CHOICES = ['remote', 'always', 'never'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const known = new Set<string>(OF_CLIENTS)
  const text = (name: string) => {
    known.add(name)
    return environment[name]?.trim() || undefined
  }
  const host = text('HOST') ?? '127.0.0.1'
  const trustedProxies = networks('USHER_TRUSTED_PROXIES', text('USHER_TRUSTED_PROXIES'))
  const plainNetworks = networks('USHER_PLAIN_HTTP_NETWORKS', text('USHER_PLAIN_HTTP_NETWORKS'))
  const delay = trustedProxies.length + plainNetworks.length > 0 ? 3 : 0
  const config: Config = {
    host,
    port: whole('PORT', text('PORT'), 8080, 0, 65_535),
    dataDir: resolve(text('USHER_DATA_DIR') ?? './data'),
    databaseUrl: databaseUrl(text('DATABASE_URL')),
    replicaUrls: replicaUrls(text('DATABASE_REPLICA_URL'), text('DATABASE_URL')),
    replicaMaxLagMs: whole('USHER_REPLICA_MAX_LAG_MS', text('USHER_REPLICA_MAX_LAG_MS'), 2_000, 500, 600_000),
    firstApiKey: firstApiKey(text('USHER_API_KEY')),
    baseUrl: baseUrl(text('USHER_BASE_URL')),
    tls: tls(text('USHER_TLS_CERT'), text('USHER_TLS_KEY')),
    trustedProxies,
    requireHttps: oneOf('USHER_REQUIRE_HTTPS', text('USHER_REQUIRE_HTTPS') ?? 'remote', HTTPS_CHOICES),
    plainNetworks,
    webhookAllowPrivate: flag('USHER_WEBHOOK_ALLOW_PRIVATE', text('USHER_WEBHOOK_ALLOW_PRIVATE'), isLoopbackHost(host)),
    webhookHeaderPrefix: headerPrefix(text('USHER_WEBHOOK_HEADER_PREFIX')),
    workers: whole('USHER_WORKERS', text('USHER_WORKERS'), 1, 1, 64),
    logLevel: oneOf('USHER_LOG_LEVEL', text('USHER_LOG_LEVEL') ?? 'info', LOG_LEVELS),
    databaseConnections: whole('USHER_DATABASE_CONNECTIONS', text('USHER_DATABASE_CONNECTIONS'), 10, 3, 1_000),
    maxActiveRequests: whole('USHER_MAX_ACTIVE_REQUESTS', text('USHER_MAX_ACTIVE_REQUESTS'), 1_000, 1, 100_000),
    metricsToken: text('USHER_METRICS_TOKEN'),
    shutdownDelayMs: whole('USHER_SHUTDOWN_DELAY_SECONDS', text('USHER_SHUTDOWN_DELAY_SECONDS'), delay, 0, 300) * 1_000,
    underNpm: ['start', 'npx'].includes(text('npm_lifecycle_event') ?? ''),
  }
  refuseMisspelt(Object.keys(environment), known)
  checkPlainHttp(config)
  if (!isLoopbackHost(host) && !config.tls && config.trustedProxies.length === 0 && config.plainNetworks.length === 0) {
    throw new StartupError(
      `HOST=${host} is not a loopback address, and API keys must not travel in the clear: set USHER_TLS_CERT and USHER_TLS_KEY, or USHER_TRUSTED_PROXIES to the address of the proxy that terminates TLS.`,
    )
  }
  return Object.freeze(config)
}

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** A misspelt setting would silently be ignored, and its default used. */
function refuseMisspelt(names: readonly string[], known: ReadonlySet<string>): void {
  const unknown = names.find((name) => name.startsWith('USHER_') && !known.has(name))
  if (unknown === undefined) return
  const settings = [...known].filter((name) => name.startsWith('USHER_'))
  throw new StartupError(
    `There is no setting ${unknown}. Did you mean ${nearest(unknown, settings)}? Rename or unset it.`,
  )
}

function whole(name: string, text: string | undefined, fallback: number, least: number, most: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new StartupError(`${name}=${text} is not a whole number from ${least} to ${most}.`)
  }
  return value
}

function oneOf<T extends string>(name: string, text: string, choices: readonly T[]): T {
  if (!(choices as readonly string[]).includes(text))
    throw new StartupError(`${name}=${text} is not one of ${choices.join(', ')}.`)
  return text as T
}

function flag(name: string, text: string | undefined, fallback: boolean): boolean {
  return text === undefined ? fallback : oneOf(name, text, ['true', 'false']) === 'true'
}

const POSTGRES_ADDRESS = /^postgres(ql)?:\/\//

function databaseUrl(text: string | undefined): string | undefined {
  if (text === undefined || POSTGRES_ADDRESS.test(text)) return text
  throw new StartupError('DATABASE_URL is not a PostgreSQL address: it begins with postgres:// or postgresql://.')
}

/** An entry is named by its number: it can hold a password. */
function replicaUrls(text: string | undefined, primary: string | undefined): string[] {
  if (text === undefined) return []
  if (primary === undefined) {
    throw new StartupError('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded PostgreSQL has no replicas.')
  }
  const urls = text.split(',').map((url) => url.trim())
  const wrong = urls.findIndex((url) => !POSTGRES_ADDRESS.test(url))
  if (wrong === -1) return urls
  throw new StartupError(
    `DATABASE_REPLICA_URL: entry ${wrong + 1} of ${urls.length} is not a PostgreSQL address: each begins with postgres:// or postgresql://, and commas separate them (one inside a password is written %2C).`,
  )
}

function firstApiKey(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]{8,255}$/.test(text)) return text
  throw new StartupError(
    'USHER_API_KEY must be 8 to 255 visible characters without spaces; best is ak_ and 26 characters out of a-z and 2-7.',
  )
}

function baseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new StartupError(`USHER_BASE_URL=${text} is not an http(s) address without query and fragment.`)
  }
  return text.replace(/\/+$/, '')
}

function headerPrefix(text: string | undefined): string | undefined {
  if (text === undefined || /^(?=.{1,50}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/i.test(text)) return text
  throw new StartupError(
    `USHER_WEBHOOK_HEADER_PREFIX=${text} is not the beginning of a header name: write Acme for Acme-Signature and Acme-Version.`,
  )
}

function tls(certFile: string | undefined, keyFile: string | undefined) {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    throw new StartupError('USHER_TLS_CERT and USHER_TLS_KEY belong together: set both, or neither.')
  }
  return { certFile: resolve(certFile), keyFile: resolve(keyFile) }
}

function networks(name: string, text: string | undefined): string[] {
  const given = (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  for (const network of given) {
    const [address, bits, ...rest] = network.split('/')
    const family = isIP(address as string)
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128))
    if (family === 0 || !isRange || rest.length > 0) {
      throw new StartupError(`${name}: ${network} is neither an IP address nor a range such as 10.0.0.0/8.`)
    }
  }
  return given
}

const PRIVATE = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '::1/128', 'fc00::/7']

/** Plain HTTP is accepted only from configured private networks: on the internet the key would not be secret. */
function checkPlainHttp({ requireHttps, plainNetworks, tls: certificate }: Config): void {
  if (requireHttps !== 'never') {
    if (plainNetworks.length === 0) return
    throw new StartupError('USHER_PLAIN_HTTP_NETWORKS is for USHER_REQUIRE_HTTPS=never: set both, or neither.')
  }
  if (certificate) throw new StartupError('USHER_REQUIRE_HTTPS=never does not go with USHER_TLS_CERT: leave one out.')
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
