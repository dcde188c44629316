import { BlockList, isIP } from 'node:net'
import { resolve } from 'node:path'
import { StartupError, StartupErrors } from '../startup-error.ts'
import {
  baseUrl,
  databaseUrl,
  firstApiKey,
  flag,
  headerPrefix,
  networks,
  oneOf,
  replicaUrls,
  secretKey,
  tls,
  whole,
} from './config-values.ts'
import { nearest } from './nearest.ts'

/** Every setting, read once from the environment and handed in; nothing else reads `process.env`. */
export interface Config {
  readonly host: string
  readonly port: number
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  /** Standbys of that database, from which lists may be read. */
  readonly replicaUrls: readonly string[]
  readonly replicaMaxLagMs: number
  /** Commands with `--url` send it, too: it is the key of the server there. */
  readonly firstApiKey: string | undefined
  /** Seals the secrets in the database. Without it, that of the data folder does (server/secrets/key-file.ts). */
  readonly secretKey: Buffer | undefined
  /** Opens secrets and seals none, while the key is rotated. */
  readonly otherSecretKey: Buffer | undefined
  readonly baseUrl: string | undefined
  readonly tls: { readonly certFile: string; readonly keyFile: string } | undefined
  readonly trustedProxies: readonly string[]
  readonly requireHttps: 'remote' | 'always' | 'never'
  /** The private networks that `never` is for. */
  readonly plainNetworks: readonly string[]
  readonly webhookAllowPrivate: boolean
  /** Whether something says that others than this machine reach the server. */
  readonly isPublic: boolean
  readonly webhookDelivery: DeliverySetting
  readonly webhookHeaderPrefix: string | undefined
  readonly workers: number
  readonly logLevel: string
  readonly databaseConnections: number
  readonly maxActiveRequests: number
  /** The bytes of request bodies that one process holds at once. */
  readonly maxBodyMemory: number
  /** How many bytes of long answers one process holds until their clients have read them. */
  readonly maxAnswerMemory: number
  readonly metricsToken: string | undefined
  /** `auto`: the demo application is served to this machine only, while only this machine reaches the server. */
  readonly demo: DemoSetting
  /** How long a server keeps serving after a stop signal, until load balancers have noticed /readyz. */
  readonly shutdownDelayMs: number
  /** Started by `npm start` or `npx`: the server ends when npm does. */
  readonly underNpm: boolean
}

/** Variables that the examples of our documents read. They may be set as well as our settings. */
const OF_CLIENTS = ['USHER_URL', 'USHER_WEBHOOK_SECRET']
/** `auto`: as the database says. `on` and `off` are for this node, whatever the database says. */
export type DeliverySetting = 'auto' | 'on' | 'off'
const DELIVERY_CHOICES: readonly DeliverySetting[] = ['auto', 'on', 'off']
export type DemoSetting = 'auto' | 'on' | 'off'
const DEMO_CHOICES: readonly DemoSetting[] = ['auto', 'on', 'off']
const HTTPS_CHOICES = ['remote', 'always', 'never'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** The names of all variables that are read. */
export function settingNames(): string[] {
  const names = new Set<string>()
  readConfig({}, names)
  return [...names]
}

export function readConfig(environment: NodeJS.ProcessEnv, known = new Set<string>(OF_CLIENTS)): Config {
  const text = (name: string) => {
    known.add(name)
    return environment[name]?.trim() || undefined
  }
  const problems: string[] = []
  const read = <T>(parse: () => T): T => collect(problems, parse)
  const host = text('HOST') ?? '127.0.0.1'
  const trustedProxies = read(() => networks('USHER_TRUSTED_PROXIES', text('USHER_TRUSTED_PROXIES'))) ?? []
  const plainNetworks = read(() => networks('USHER_PLAIN_HTTP_NETWORKS', text('USHER_PLAIN_HTTP_NETWORKS'))) ?? []
  const publicUrl = read(() => baseUrl(text('USHER_BASE_URL')))
  const certificate = read(() => tls(text('USHER_TLS_CERT'), text('USHER_TLS_KEY')))
  const isBehindProxy = trustedProxies.length + plainNetworks.length > 0
  // Others reach the server, so a holder of a key must not reach what only this machine can.
  const isPublic = !isLoopbackHost(host) || isBehindProxy || publicUrl !== undefined || certificate !== undefined
  const config: Config = {
    host,
    port: read(() => whole('PORT', text('PORT'), 8080, 0, 65_535)),
    dataDir: resolve(text('USHER_DATA_DIR') ?? './data'),
    databaseUrl: read(() => databaseUrl(text('DATABASE_URL'))),
    replicaUrls: read(() => replicaUrls(text('DATABASE_REPLICA_URL'), text('DATABASE_URL'))),
    replicaMaxLagMs: read(() =>
      whole('USHER_REPLICA_MAX_LAG_MS', text('USHER_REPLICA_MAX_LAG_MS'), 2_000, 500, 600_000),
    ),
    firstApiKey: read(() => firstApiKey(text('USHER_API_KEY'))),
    secretKey: read(() => secretKey('USHER_SECRET_KEY', text('USHER_SECRET_KEY'))),
    otherSecretKey: read(() => secretKey('USHER_SECRET_KEY_OTHER', text('USHER_SECRET_KEY_OTHER'))),
    baseUrl: publicUrl,
    tls: certificate,
    trustedProxies,
    requireHttps: read(() => oneOf('USHER_REQUIRE_HTTPS', text('USHER_REQUIRE_HTTPS') ?? 'remote', HTTPS_CHOICES)),
    plainNetworks,
    webhookAllowPrivate: read(() =>
      flag('USHER_WEBHOOK_ALLOW_PRIVATE', text('USHER_WEBHOOK_ALLOW_PRIVATE'), !isPublic),
    ),
    isPublic,
    webhookDelivery: read(() =>
      oneOf('USHER_WEBHOOK_DELIVERY', text('USHER_WEBHOOK_DELIVERY') ?? 'auto', DELIVERY_CHOICES),
    ),
    webhookHeaderPrefix: read(() => headerPrefix(text('USHER_WEBHOOK_HEADER_PREFIX'))),
    workers: read(() => whole('USHER_WORKERS', text('USHER_WORKERS'), 1, 1, 64)),
    logLevel: read(() => oneOf('USHER_LOG_LEVEL', text('USHER_LOG_LEVEL') ?? 'info', LOG_LEVELS)),
    databaseConnections: read(() =>
      whole('USHER_DATABASE_CONNECTIONS', text('USHER_DATABASE_CONNECTIONS'), 10, 3, 1_000),
    ),
    maxActiveRequests: read(() =>
      whole('USHER_MAX_ACTIVE_REQUESTS', text('USHER_MAX_ACTIVE_REQUESTS'), 1_000, 1, 100_000),
    ),
    maxBodyMemory: read(() => mebibytes('USHER_MAX_BODY_MEMORY_MB', text('USHER_MAX_BODY_MEMORY_MB'))),
    maxAnswerMemory: read(() => mebibytes('USHER_MAX_ANSWER_MEMORY_MB', text('USHER_MAX_ANSWER_MEMORY_MB'))),
    metricsToken: text('USHER_METRICS_TOKEN'),
    demo: read(() => oneOf('USHER_DEMO', text('USHER_DEMO') ?? 'auto', DEMO_CHOICES)),
    shutdownDelayMs: read(() => shutdownDelay(text('USHER_SHUTDOWN_DELAY_SECONDS'), isBehindProxy)),
    underNpm: ['start', 'npx'].includes(text('npm_lifecycle_event') ?? ''),
  }
  read(() => refuseMisspelt(Object.keys(environment), known))
  if (problems.length > 0) throw new StartupErrors(problems)
  checkPlainHttp(config)
  if (!isLoopbackHost(host) && !config.tls && config.trustedProxies.length === 0 && config.plainNetworks.length === 0) {
    throw new StartupError(
      `HOST=${host} is not a loopback address, and API keys must not travel in the clear: set USHER_TLS_CERT and USHER_TLS_KEY, or USHER_TRUSTED_PROXIES to the address of the proxy that terminates TLS.`,
    )
  }
  return Object.freeze(config)
}

/** Whether the demo application is there at all. */
export function servesDemo({ demo, isPublic }: Pick<Config, 'demo' | 'isPublic'>): boolean {
  return demo === 'on' || (demo === 'auto' && !isPublic)
}

/** So that all wrong settings are named at once. What could not be read is undefined, and is not used. */
function collect<T>(problems: string[], parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    problems.push(error.message)
    return undefined as T
  }
}

function mebibytes(name: string, text: string | undefined): number {
  return whole(name, text, 256, 16, 65_536) * 1024 * 1024
}

function shutdownDelay(text: string | undefined, isBehindProxy: boolean): number {
  return whole('USHER_SHUTDOWN_DELAY_SECONDS', text, isBehindProxy ? 3 : 0, 0, 300) * 1_000
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
