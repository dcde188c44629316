import { resolve } from 'node:path'
import { StartupError, StartupErrors } from '../startup-error.ts'
import {
  baseUrl,
  databaseUrl,
  firstApiKey,
  flag,
  headerPrefix,
  mebibytes,
  networks,
  oneOf,
  type Parser,
  replicaUrls,
  secretKey,
  tls,
  whole,
} from './config-values.ts'
import { nearest } from './nearest.ts'
import { checkPlainHttp } from './plain-http.ts'

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
  /** `auto`: as the database says. `on` and `off` are for this node, whatever the database says. */
  readonly webhookDelivery: SwitchSetting
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
  readonly demo: SwitchSetting
  /** How long a server keeps serving after a stop signal, until load balancers have noticed /readyz. */
  readonly shutdownDelayMs: number
  /** Started by `npm start` or `npx`: the server ends when npm does. */
  readonly underNpm: boolean
}

/** Variables that the examples of our documents and of the dashboard read. They may be set as well as our settings. */
const OF_CLIENTS = ['USHER_URL', 'USHER_WEBHOOK_SECRET', 'USHER_IDENTITY_SECRET']
const SWITCH_CHOICES = ['auto', 'on', 'off'] as const
export type SwitchSetting = (typeof SWITCH_CHOICES)[number]
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
  const read = <T>(name: string, parse: Parser<T>): T => collect(problems, () => parse(text(name), name))
  const host = text('HOST') ?? '127.0.0.1'
  const trustedProxies = read('USHER_TRUSTED_PROXIES', networks) ?? []
  const plainNetworks = read('USHER_PLAIN_HTTP_NETWORKS', networks) ?? []
  const publicUrl = read('USHER_BASE_URL', baseUrl)
  const certificate = collect(problems, () => tls(text('USHER_TLS_CERT'), text('USHER_TLS_KEY')))
  const isBehindProxy = trustedProxies.length + plainNetworks.length > 0
  // Others reach the server, so a holder of a key must not reach what only this machine can.
  const isPublic = !isLoopbackHost(host) || isBehindProxy || publicUrl !== undefined || certificate !== undefined
  const config: Config = {
    host,
    port: read('PORT', whole(8080, 0, 65_535)),
    dataDir: resolve(text('USHER_DATA_DIR') ?? './data'),
    databaseUrl: read('DATABASE_URL', databaseUrl),
    replicaUrls: read('DATABASE_REPLICA_URL', (urls) => replicaUrls(urls, text('DATABASE_URL'))),
    replicaMaxLagMs: read('USHER_REPLICA_MAX_LAG_MS', whole(2_000, 500, 600_000)),
    firstApiKey: read('USHER_API_KEY', firstApiKey),
    secretKey: read('USHER_SECRET_KEY', secretKey),
    otherSecretKey: read('USHER_SECRET_KEY_OTHER', secretKey),
    baseUrl: publicUrl,
    tls: certificate,
    trustedProxies,
    requireHttps: read('USHER_REQUIRE_HTTPS', oneOf(HTTPS_CHOICES, 'remote')),
    plainNetworks,
    webhookAllowPrivate: read('USHER_WEBHOOK_ALLOW_PRIVATE', flag(!isPublic)),
    isPublic,
    webhookDelivery: read('USHER_WEBHOOK_DELIVERY', oneOf(SWITCH_CHOICES, 'auto')),
    webhookHeaderPrefix: read('USHER_WEBHOOK_HEADER_PREFIX', headerPrefix),
    workers: read('USHER_WORKERS', whole(1, 1, 64)),
    logLevel: read('USHER_LOG_LEVEL', oneOf(LOG_LEVELS, 'info')),
    databaseConnections: read('USHER_DATABASE_CONNECTIONS', whole(10, 3, 1_000)),
    maxActiveRequests: read('USHER_MAX_ACTIVE_REQUESTS', whole(1_000, 1, 100_000)),
    maxBodyMemory: read('USHER_MAX_BODY_MEMORY_MB', mebibytes(256, 16, 65_536)),
    maxAnswerMemory: read('USHER_MAX_ANSWER_MEMORY_MB', mebibytes(256, 16, 65_536)),
    metricsToken: text('USHER_METRICS_TOKEN'),
    demo: read('USHER_DEMO', oneOf(SWITCH_CHOICES, 'auto')),
    shutdownDelayMs: 1_000 * read('USHER_SHUTDOWN_DELAY_SECONDS', whole(isBehindProxy ? 3 : 0, 0, 300)),
    underNpm: ['start', 'npx'].includes(text('npm_lifecycle_event') ?? ''),
  }
  problems.push(...misspelt(Object.keys(environment), known))
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

export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** A misspelt setting would silently be ignored, and its default used. Each is named. */
function misspelt(names: readonly string[], known: ReadonlySet<string>): string[] {
  const settings = [...known].filter((name) => name.startsWith('USHER_'))
  return names
    .filter((name) => name.startsWith('USHER_') && !known.has(name))
    .map((name) => `There is no setting ${name}. Did you mean ${nearest(name, settings)}? Rename or unset it.`)
}
