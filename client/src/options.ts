import { dispatcherSender } from './dispatcher-sender.ts'
import { UsherError } from './errors.ts'
import { fetchSender, type Sender } from './sender.ts'

/** How to reach a server. */
export interface UsherOptions {
  /** The address of the server: `https://usher.example.com`. */
  baseUrl: string
  /** The API key of one environment. It belongs on servers, never into a browser. */
  apiKey: string
  /** How long one attempt may take. 20,000 ms unless given: a server answers within 18 s. */
  timeoutMs?: number
  /** How often a request is retried after a temporary failure. 3 unless given. */
  maxRetries?: number
  /** A `fetch` to use, for example in tests. By default the client uses what is below Node's `fetch`, or the global `fetch`. */
  fetch?: typeof globalThis.fetch
  /** Sent with every request. */
  headers?: Record<string, string>
}

/** The options of a single call. */
export interface RequestOptions {
  /** Aborts the call and its retries at once. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  maxRetries?: number | undefined
  /** The key of a write. Generated unless given, so that retries are safe. */
  idempotencyKey?: string | undefined
}

export interface Settings {
  baseUrl: string
  timeoutMs: number
  maxRetries: number
  send: Sender
  headers: Readonly<Record<string, string>>
}

const API_VERSION = '2020-01-03'

export function readOptions(options: UsherOptions): Settings {
  if (isBrowser()) throw new UsherError('API keys must not be sent to browsers: use the client on a server.')
  if (!/^[\x21-\x7e]+$/.test(options.apiKey ?? '')) throw new UsherError('apiKey: must be the key of an environment')
  const url = baseUrl(options.baseUrl)
  return {
    baseUrl: url,
    timeoutMs: atLeast('timeoutMs', options.timeoutMs ?? 20_000, 1),
    maxRetries: atLeast('maxRetries', options.maxRetries ?? 3, 0),
    send: sender(url, options.fetch),
    headers: {
      ...lowerCase(options.headers ?? {}),
      accept: 'application/json',
      authorization: `Bearer ${options.apiKey}`,
      'service-version': API_VERSION,
    },
  }
}

/** Merges headers case-insensitively: a later one replaces one with the same name. */
function lowerCase(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function sender(url: string, fetch: typeof globalThis.fetch | undefined): Sender {
  if (fetch) return fetchSender(fetch)
  // Wrapped: some runtimes refuse `fetch` as a method of another object.
  return dispatcherSender(url) ?? fetchSender((input, init) => globalThis.fetch(input, init))
}

function baseUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new UsherError('baseUrl: must be the address of a server, such as https://usher.example.com')
  }
  if (!/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password)
    throw new UsherError('baseUrl: must be an http(s) address without credentials, query and fragment')
  return url.href.replace(/\/+$/, '')
}

function atLeast(name: string, value: number, least: number): number {
  if (!Number.isFinite(value) || value < least) throw new UsherError(`${name}: must be a number of at least ${least}`)
  return value
}

function isBrowser(): boolean {
  const { window, document } = globalThis as { window?: unknown; document?: unknown }
  return window !== undefined && document !== undefined
}
