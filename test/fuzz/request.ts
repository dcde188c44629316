import type { Corpus } from './corpus.ts'
import { mutate } from './mutate.ts'
import { Random } from './random.ts'

export interface FuzzRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | undefined
  /** Sent as bytes over a bare socket, where nothing sets right what is wrong. */
  raw: boolean
}

const methods = ['GET', 'GET', 'GET', 'POST', 'POST', 'POST', 'POST', 'DELETE', 'PATCH', 'HEAD', 'PUT', 'OPTIONS']

/** The request of a number: the same for the same seed, whatever came before it. */
export function makeRequest(corpus: Corpus, key: string, seed: number, index: number): FuzzRequest {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + index)
  const raw = random.chance(0.05)
  const method = random.pick(methods)
  const withBody = method === 'POST' || method === 'PATCH' || random.chance(0.05)
  return {
    method,
    path: makePath(corpus, random, raw),
    headers: makeHeaders(corpus, random, key, withBody, raw),
    ...(withBody && { body: makeBody(corpus, random) }),
    raw,
  }
}

function makePath({ paths, queries, strings }: Corpus, random: Random, raw: boolean): string {
  const path = random.chance(0.2) ? mutate(random.pick(paths), random, strings) : random.pick(paths)
  const query = random.chance(0.4)
    ? ''
    : `?${random.chance(0.7) ? mutate(random.pick(queries), random, strings) : random.pick(queries)}`
  const whole = path.startsWith('/') ? path + query : `/${path}${query}`
  // No HTTP client sends these; a bare socket does.
  return raw ? whole.replace(/[\r\n]/g, '') : encodeURI(whole.toWellFormed()).replaceAll('%25', '%').slice(0, 12_000)
}

function makeHeaders(
  { headers, strings }: Corpus,
  random: Random,
  key: string,
  withBody: boolean,
  raw: boolean,
): Record<string, string> {
  const made: Record<string, string> = { authorization: `Bearer ${key}` }
  if (withBody) made['content-type'] = 'application/json'
  for (let count = random.chance(0.3) ? 1 + random.below(3) : 0; count > 0; count -= 1) {
    const name = random.pick(Object.keys(headers))
    const value = random.pick(headers[name] ?? [''])
    made[name] = legal(random.chance(0.3) ? mutate(value, random, strings) : value, raw)
  }
  return made
}

function legal(value: string, raw: boolean): string {
  return value.replace(raw ? /[\r\n]/g : /[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 4_000)
}

function makeBody({ bodies, strings }: Corpus, random: Random): string {
  if (random.chance(0.001)) return `{"id":"${'x'.repeat(1_100_000)}"}`
  const body = random.pick(bodies)
  return random.chance(0.8) ? mutate(body, random, strings) : body
}
