/**
 * Requests as a text with placeholders, which another process fills in. The placeholders are `{n}` (the number of a
 * user), `{g}` and `{h}` (two of the thousand groups, by the user's number), `{r}` (three digits that differ each time)
 * and `{p}` (one of the given pages) and `{e}` (the key of one of the environments). In a body all have a fixed number
 * of digits, so that its length is known in advance.
 */
export interface Traffic {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** Instead of the key of the first environment. */
  key?: string
  /** Additional header lines, each ended by CRLF. They may have placeholders too. */
  headers?: string
  body?: string
  /** How many users there are to choose from, or `new`: each request has a number that no other has. */
  users: number | 'new'
  pages?: readonly string[]
  /** The number of environments that get the requests, equally often; 1 without it. */
  environments?: number
  /** Every other request is of this traffic. Known to our own generator only. */
  alternately?: Traffic
}

export const GROUPS = 1_000
export const KEY = 'ak_abcdefghijklmnopqrstuvwxyz'

/** The key of an environment that `seedEnvironments` makes. */
export const environmentKey = (number: number) => `ak_environment_${digits(number, DIGITS)}`

const DIGITS = 8
/** Above the number of every seeded user. One row can have two generators. */
export const FIRST_NEW = { wrk: 20_000_000, node: 60_000_000 }

/** New numbers are given out for each path by itself: what a row has stored for them is not used up by the rows before. */
export class NewNumbers {
  readonly #first: number
  readonly #next = new Map<string, number>()

  constructor(first: number) {
    this.#first = first
  }

  /** The first of so many numbers. */
  take({ path }: Traffic, count: number): number {
    const first = this.#next.get(path) ?? this.#first
    this.#next.set(path, first + count)
    return first
  }
}

const newNumbers = new NewNumbers(FIRST_NEW.node)

export const userId = (number: number) => `user_${digits(number, DIGITS)}`
export const groupId = (number: number) => `group_${digits(number, DIGITS)}`

function digits(number: number, count: number): string {
  return String(number).padStart(count, '0')
}

/** The requests of a traffic as they are sent, split at their placeholders. */
export function requestParts({ method, path, headers = '', body, environments, key = KEY }: Traffic): string[] {
  const length =
    body === undefined ? 0 : Buffer.byteLength(body.replaceAll('{r}', '000').replace(/\{[ngh]\}/g, '00000000'))
  const head = `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${environments === undefined ? key : '{e}'}\r\naccept: application/json\r\n${headers}`
  const rest =
    body === undefined ? '\r\n' : `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`
  return (head + rest).split(/(\{[nghrpe]\})/)
}

/** Makes the requests of a traffic, one call each. */
export function requestMaker(traffic: Traffic): () => string {
  if (traffic.alternately) return alternating(traffic, traffic.alternately)
  const parts = requestParts(traffic)
  const { users } = traffic
  return () => fill(parts, users === 'new' ? newNumbers.take(traffic, 1) : Math.floor(Math.random() * users), traffic)
}

function alternating({ alternately: _, ...first }: Traffic, second: Traffic): () => string {
  const makers = [requestMaker(first), requestMaker(second)] as const
  let made = 0
  return () => {
    made += 1
    return makers[(made % 2) as 0 | 1]()
  }
}

/** The same as a script for wrk, which has Lua. New users are numbered upwards from `firstNew`. */
export function wrkScript(traffic: Traffic, firstNew: number): string {
  const { users, pages = [] } = traffic
  return `
local made = 0
local pages = { ${pages.map((page) => JSON.stringify(page)).join(', ')} }
function request()
  local n = ${users === 'new' ? `${firstNew} + made` : `math.random(0, ${users - 1})`}
  made = made + 1
  return ${requestParts(traffic)
    .map((part) => luaPart(part, traffic))
    .join(' .. ')}
end
function setup(thread) thread:set('seed', ${Math.floor(Math.random() * 1e9)}) end
function init() math.randomseed(seed) end
function done(summary, latency)
  local errors = summary.errors
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('RESULT %d %d %d %d %d\\n', summary.requests, summary.duration, errors.status, broken,
    latency:percentile(50)))
end
`
}

function luaPart(part: string, { environments = 0 }: Traffic): string {
  const padded = (number: string) => `string.format('%0${DIGITS}d', ${number})`
  if (part === '{n}') return padded('n')
  if (part === '{g}') return padded(`n % ${GROUPS}`)
  if (part === '{h}') return padded(`(n + 500) % ${GROUPS}`)
  if (part === '{r}') return 'math.random(100, 999)'
  if (part === '{p}') return 'pages[math.random(#pages)]'
  if (part === '{e}')
    return `'${environmentKey(0).slice(0, -DIGITS)}' .. ${padded(`math.random(0, ${environments - 1})`)}`
  // A JSON string is a valid Lua string when it is ASCII.
  return JSON.stringify(part)
}

function fill(parts: readonly string[], number: number, { pages = [], environments = 0 }: Traffic): string {
  let text = ''
  for (const part of parts) {
    if (part === '{n}') text += digits(number, DIGITS)
    else if (part === '{g}') text += digits(number % GROUPS, DIGITS)
    else if (part === '{h}') text += digits((number + 500) % GROUPS, DIGITS)
    else if (part === '{r}') text += 100 + Math.floor(Math.random() * 900)
    else if (part === '{e}') text += environmentKey(Math.floor(Math.random() * environments))
    else if (part === '{p}') text += pages[Math.floor(Math.random() * pages.length)]
    else text += part
  }
  return text
}
