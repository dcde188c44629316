import { type Config, isLoopbackHost } from './config.ts'
import { ON_TERMINAL } from './log.ts'

/** Tells who started the server where it is, and on the first start how to try it: in words, or as JSON when piped. */
export function announce(config: Config, port: number, firstKey: string | undefined): void {
  const address = addressOf(config, port)
  const places = { dashboard: `${address}/app/`, documents: `${address}/docs`, data: dataOf(config) }
  if (!ON_TERMINAL) {
    tellJson({
      address,
      ...places,
      msg: `Usher is ready at ${address} with a dashboard at /app/ and documents at /docs`,
    })
    if (firstKey === undefined) return
    announceKey(firstKey)
    tellJson({ command: firstCall(address, firstKey), msg: 'Try it' })
    return
  }
  tell([
    `Usher is ready at ${address}`,
    '',
    ...Object.entries(places).map(([name, place]) => `  ${title(name)}${place}`),
    '',
  ])
  if (firstKey === undefined) return
  announceKey(firstKey)
  tell(['Try it:', `  ${firstCall(address, firstKey)}`, ''])
}

function firstCall(address: string, key: string): string {
  return `curl ${address}/users -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"id":"u_1","attributes":{"name":"Ada"}}'`
}

/** Also when the server cannot listen after all: the key is stored by then, and nobody can show it later. */
export function announceKey(firstKey: string): void {
  const msg = 'The API key of the environment Production, shown only this once'
  if (ON_TERMINAL) tell([`${msg}:`, `  ${firstKey}`, ''])
  else tellJson({ api_key: firstKey, msg })
}

/** Whoever opens it first is the owner. `usher members link` prints another one. */
export function announceSetUp(config: Config, port: number, path: string): void {
  const msg = 'Set up the owner of the dashboard with this link, which works once, for 24 hours'
  const link = addressOf(config, port) + path
  if (ON_TERMINAL) tell([`${msg}:`, `  ${link}`, ''])
  else tellJson({ set_up_link: link, msg })
}

/** Where a person on this machine reaches the server. */
export function addressOf(config: Config, port: number): string {
  if (config.baseUrl !== undefined) return config.baseUrl
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `${config.tls ? 'https' : 'http'}://${isLoopbackHost(config.host) ? host : 'localhost'}:${port}`
}

/** Never with the password. */
function dataOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? dataDir : 'the PostgreSQL of DATABASE_URL'
}

function title(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`.padEnd(11)
}

/** Whatever the level of the log: nobody can ask for the key again. */
function tellJson(fields: object): void {
  tell([JSON.stringify({ level: 'info', time: new Date().toISOString(), ...fields })])
}

function tell(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
