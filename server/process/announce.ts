import { ON_TERMINAL } from '../log.ts'
import type { Config } from '../settings/config.ts'
import { ownAddress } from '../settings/own-address.ts'
import { keepFirstSteps } from './first-steps-file.ts'

/** Prints the address of the server, and on the first start how to try it: as text, or as JSON when piped. */
export function announce(config: Config, port: number, firstKey: string | undefined): void {
  const address = ownAddress(config, port)
  const places = { dashboard: `${address}/app/`, documents: `${address}/docs`, data: dataOf(config) }
  if (!ON_TERMINAL) {
    printJson({
      address,
      ...places,
      msg: `Usher is ready at ${address} with a dashboard at /app/ and documents at /docs`,
    })
    if (firstKey === undefined) return
    announceKey(config, firstKey, { command: firstCall(address, firstKey) })
    return
  }
  print([
    `Usher is ready at ${address}`,
    '',
    ...Object.entries(places).map(([name, place]) => `  ${title(name)}${place}`),
    '',
  ])
  if (firstKey === undefined) return
  announceKey(config, firstKey)
  print(['Try it:', `  ${firstCall(address, firstKey)}`, ''])
}

function firstCall(address: string, key: string): string {
  return `curl ${address}/users -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"id":"u_1","attributes":{"name":"Ada"}}'`
}

/** Also when the server then fails to listen: the key is stored by then, and cannot be shown later. */
export function announceKey(config: Config, firstKey: string, more: object = {}): void {
  const msg = 'The API key of the environment Production, shown only this once'
  if (ON_TERMINAL) print([`${msg}:`, `  ${firstKey}`, ''])
  else
    announceSecret(
      config,
      { api_key: firstKey, ...more },
      msg,
      'The API key of the environment Production is in the file',
    )
}

/** The first person who uses the link becomes the owner. `usher members link` prints another one. */
export function announceSetUp(config: Config, port: number, path: string): void {
  const msg = 'Set up the owner of the dashboard with this link, which works once, for 24 hours'
  const link = ownAddress(config, port) + path
  if (ON_TERMINAL) print([`${msg}:`, `  ${link}`, ''])
  else
    announceSecret(
      config,
      { set_up_link: link },
      msg,
      'The link that sets up the owner of the dashboard is in the file',
    )
}

/** The link of the first start is not repeated. */
export function announceNoOwner(): void {
  const msg = 'The dashboard has no owner yet. Print the link that sets one up: npx usher members link'
  if (ON_TERMINAL) print([msg, ''])
  else printJson({ msg })
}

/** A log that is piped is collected and kept, so it names a file instead. */
function announceSecret(config: Config, fields: object, msg: string, inFile: string): void {
  const file = keepFirstSteps(config, fields)
  printJson(file === undefined ? { ...fields, msg } : { file, msg: inFile })
}

/** Without the password. */
function dataOf({ databaseUrl, dataDir }: Config): string {
  return databaseUrl === undefined ? dataDir : 'the PostgreSQL of DATABASE_URL'
}

function title(name: string): string {
  return `${name[0]?.toUpperCase()}${name.slice(1)}`.padEnd(11)
}

/** Printed at every log level: the key cannot be shown again. */
function printJson(fields: object): void {
  print([JSON.stringify({ level: 'info', time: new Date().toISOString(), ...fields })])
}

function print(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
