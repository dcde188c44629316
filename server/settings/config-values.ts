import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { StartupError } from '../startup-error.ts'

/** Parses the text of a setting; undefined when it is not set. Throws a `StartupError` that names the setting and the remedy. */
export type Parser<T> = (text: string | undefined, name: string) => T

export function whole(fallback: number, least: number, most: number): Parser<number> {
  return (text, name) => {
    if (text === undefined) return fallback
    const value = Number(text)
    if (!Number.isInteger(value) || value < least || value > most) {
      throw new StartupError(`${name}=${text} is not a whole number from ${least} to ${most}.`)
    }
    return value
  }
}

export function mebibytes(fallback: number, least: number, most: number): Parser<number> {
  const parse = whole(fallback, least, most)
  return (text, name) => parse(text, name) * 1024 * 1024
}

export function oneOf<T extends string>(choices: readonly T[], fallback: T): Parser<T> {
  return (text, name) => {
    if (text === undefined) return fallback
    const chosen = choices.find((choice) => choice === text)
    if (chosen === undefined) throw new StartupError(`${name}=${text} is not one of ${choices.join(', ')}.`)
    return chosen
  }
}

export function flag(fallback: boolean): Parser<boolean> {
  const parse = oneOf(['true', 'false'], fallback ? 'true' : 'false')
  return (text, name) => parse(text, name) === 'true'
}

const POSTGRES_ADDRESS = /^postgres(ql)?:\/\//

export function databaseUrl(text: string | undefined): string | undefined {
  const problem = text === undefined ? undefined : postgresProblem(text)
  if (problem === undefined) return text
  throw new StartupError(`DATABASE_URL is not a PostgreSQL address: ${problem}.`)
}

/** An entry is named by its number: it can hold a password. */
export function replicaUrls(text: string | undefined, primary: string | undefined): string[] {
  if (text === undefined) return []
  if (primary === undefined) {
    throw new StartupError('DATABASE_REPLICA_URL needs DATABASE_URL: the embedded PostgreSQL has no replicas.')
  }
  const urls = text.split(',').map((url) => url.trim())
  const wrong = urls.findIndex((url) => postgresProblem(url) !== undefined)
  if (wrong === -1) return urls
  throw new StartupError(
    `DATABASE_REPLICA_URL: entry ${wrong + 1} of ${urls.length} is not a PostgreSQL address: ${postgresProblem(urls[wrong] as string)}, and commas separate them (one inside a password is written %2C).`,
  )
}

/** After one of `#`, `/` and `?` in a password the rest of it, or what is before it, counts as host or database: names that are printed. */
function postgresProblem(text: string): string | undefined {
  if (!POSTGRES_ADDRESS.test(text)) return 'it begins with postgres:// or postgresql://'
  // As pg reads it, an address may have a user and no host.
  const url = URL.parse(text) ?? URL.parse(text.replace('@/', '@host/'))
  const names = url === null ? [] : [url.pathname, ...url.searchParams.keys()]
  if (url !== null && !text.includes('#') && !names.some((name) => name.includes('@'))) return undefined
  return 'it cannot be read; in its user and password # is written %23, / %2F, ? %3F, @ %40 and % %25'
}

export function firstApiKey(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]{8,255}$/.test(text)) return text
  throw new StartupError(
    'USHER_API_KEY must be 8 to 255 visible characters without spaces; best is ak_ and 26 characters out of a-z and 2-7.',
  )
}

/** 32 bytes. The value is not repeated in the message. */
export function secretKey(text: string | undefined, name: string): Buffer | undefined {
  if (text === undefined) return undefined
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  throw new StartupError(`${name} is not 64 hexadecimal digits: make a key with \`openssl rand -hex 32\`.`)
}

/** A name with other than ASCII characters is written in Punycode: the URL is also sent in headers. */
export function baseUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.parse(text)
  // It is not repeated: what is wrong in it may be a secret.
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new StartupError(
      'USHER_BASE_URL is not an http(s) address without user, password, query and fragment, such as https://usher.example.com.',
    )
  }
  return url.href.replace(/\/+$/, '')
}

export function headerPrefix(text: string | undefined): string | undefined {
  if (text === undefined || /^(?=.{1,50}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/i.test(text)) return text
  throw new StartupError(
    `USHER_WEBHOOK_HEADER_PREFIX=${text} is not the beginning of a header name: write Acme for Acme-Signature and Acme-Version.`,
  )
}

export function tls(certFile: string | undefined, keyFile: string | undefined) {
  if (certFile === undefined && keyFile === undefined) return undefined
  if (certFile === undefined || keyFile === undefined) {
    throw new StartupError('USHER_TLS_CERT and USHER_TLS_KEY belong together: set both, or neither.')
  }
  return { certFile: resolve(certFile), keyFile: resolve(keyFile) }
}

export function networks(text: string | undefined, name: string): string[] {
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
