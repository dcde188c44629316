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

const methods = ['GET', 'POST', 'DELETE', 'PATCH', 'HEAD', 'PUT', 'OPTIONS']

/** The request of a number: the same for the same seed, whatever came before it. */
export function makeRequest(corpus: Corpus, key: string, seed: number, index: number): FuzzRequest {
  const random = new Random(Math.imul(seed, 0x9e3779b1) + index)
  const raw = random.chance(0.05)
  const { method, path, bodies } = random.chance(0.8) ? knownRoute(corpus, random) : anyRoute(corpus, random)
  return {
    method,
    path: makePath(corpus, random, path, raw),
    headers: makeHeaders(corpus, random, key, bodies.length > 0, raw),
    ...(bodies.length > 0 && { body: makeBody(corpus, random, bodies) }),
    raw,
  }
}

interface Route {
  method: string
  path: string
  bodies: readonly string[]
}

/** Most requests reach an operation: one that is refused before tests little. */
function knownRoute({ requests }: Corpus, random: Random): Route {
  const route = random.pick(Object.keys(requests.routes))
  const [method = '', path = ''] = route.split(' ')
  return { method, path, bodies: requests.routes[route] ?? [] }
}

function anyRoute({ requests, paths, strings }: Corpus, random: Random): Route {
  const path = random.pick(paths)
  return {
    method: random.pick(methods),
    path: random.chance(0.5) ? mutate(path, random, strings) : path,
    bodies: random.chance(0.5) ? requests.others : [],
  }
}

function makePath(corpus: Corpus, random: Random, path: string, raw: boolean): string {
  const query = random.chance(0.5) ? '' : random.chance(0.15) ? positionQuery(corpus, random) : anyQuery(corpus, random)
  const joined = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
  const whole = joined.startsWith('/') ? joined : `/${joined}`
  // No HTTP client sends these; a bare socket does.
  return raw ? whole.replace(/[\r\n]/g, '') : encodeURI(whole.toWellFormed()).replaceAll('%25', '%').slice(0, 12_000)
}

function anyQuery({ queries, strings }: Corpus, random: Random): string {
  const query = random.pick(queries)
  return random.chance(0.5) ? mutate(query, random, strings) : query
}

/** A forged position in a list. It is changed before it is encoded: otherwise nearly none could be decoded. */
function positionQuery({ positions, strings }: Corpus, random: Random): string {
  const parts = random.pick(positions)
  const written = random.chance(0.3)
    ? mutate(JSON.stringify(parts), random, strings)
    : JSON.stringify(
        parts.map((part, index) => (index > 0 && random.chance(0.3) ? mutate(part, random, strings) : part)),
      )
  const position = Buffer.from(written).toString('base64url')
  return `order_by=${parts[0]}&position=${position}&starting_after=${encodeURIComponent(parts.at(-1) as string)}`
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

function makeBody({ requests, strings }: Corpus, random: Random, bodies: readonly string[]): string {
  if (random.chance(0.001)) return `{"id":"${'x'.repeat(1_100_000)}"}`
  const body = random.pick(random.chance(0.1) ? requests.others : bodies)
  return atHome(random.chance(0.7) ? mutate(body, random, strings) : body)
}

/** A subscription that a mutated body makes is delivered to: only ever to this machine. */
function atHome(body: string): string {
  return body.replace(/https?:[^"]*/gi, 'https://127.0.0.1:1/')
}
