import { type Config, isLoopbackHost } from './config.ts'

/** Where this server is reached, as far as its settings say. With PORT=0 the port is known when it listens. */
export function ownAddress({ baseUrl, tls, host, port: setPort }: Config, port = setPort): string {
  if (baseUrl !== undefined) return baseUrl
  const name = isLoopbackHost(host) ? bracketed(host) : 'localhost'
  return `${tls ? 'https' : 'http'}://${name}:${port}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
