import { type Config, isLoopbackHost } from './config.ts'

/** Tells the person at the terminal where the server is, and on the first start how to try it. */
export function announce(config: Config, port: number, firstKey: string | undefined): void {
  const address = addressOf(config, port)
  tell([`Usher is ready at ${address}`])
  if (firstKey === undefined) return
  announceKey(firstKey)
  tell([
    'Try it:',
    `  curl ${address}/users -H 'Authorization: Bearer ${firstKey}' -H 'Content-Type: application/json' -d '{"id":"u_1","attributes":{"name":"Ada"}}'`,
    '',
  ])
}

/** Also when the server cannot listen after all: the key is stored by then, and nobody can show it later. */
export function announceKey(firstKey: string): void {
  tell(['', 'The API key of the environment Production, shown only this once:', `  ${firstKey}`, ''])
}

/** Where a person on this machine reaches the server. */
export function addressOf(config: Config, port: number): string {
  if (config.baseUrl !== undefined) return config.baseUrl
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return `${config.tls ? 'https' : 'http'}://${isLoopbackHost(config.host) ? host : 'localhost'}:${port}`
}

function tell(lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
