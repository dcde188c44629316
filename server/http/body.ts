import { isUtf8 } from 'node:buffer'
import { errors } from '../errors.ts'
import { after, type MaybePromise } from '../maybe-promise.ts'
import { decompress } from './decompression.ts'
import type { Exchange } from './exchange.ts'

/** The body of a request. Synchronous when the body has arrived, which is the usual case. Never settles when the client disconnects. */
export function readBody(exchange: Exchange, mostBytes: number): MaybePromise<Buffer> {
  const received = receiveBody(exchange, mostBytes)
  const encoding = exchange.request.headers['content-encoding']
  return encoding === undefined
    ? received
    : after(received, (body) => decompress(body, encoding, mostBytes, (bytes) => exchange.holdBytes(bytes)))
}

function receiveBody(exchange: Exchange, mostBytes: number): MaybePromise<Buffer> {
  const { request } = exchange
  if (request.complete) {
    const body = (request.read() as Buffer | null) ?? NOTHING
    if (body.length > mostBytes) throw errors.payloadTooLarge(mostBytes)
    exchange.holdBytes(body.length)
    return body
  }
  if (Number(request.headers['content-length']) > mostBytes) throw errors.payloadTooLarge(mostBytes)
  exchange.askForBody()
  return new Promise((resolve, reject) => {
    let received: Buffer | undefined = NOTHING
    let size = 0
    request.on('data', (chunk: Buffer) => {
      if (!received) return
      try {
        if (size + chunk.length > mostBytes) throw errors.payloadTooLarge(mostBytes)
        exchange.holdBytes(chunk.length)
        received = withRoom(received, size, chunk.length)
        size += chunk.copy(received, size)
      } catch (error) {
        received = undefined
        reject(error)
      }
    })
    request.on('end', () => received && resolve(received.subarray(0, size)))
  })
}

/** The bytes are copied: a body can come in pieces of one byte, and each of them would take 126 bytes while it waits. */
function withRoom(received: Buffer, size: number, more: number): Buffer {
  if (size + more <= received.length) return received
  const larger = Buffer.allocUnsafeSlow(Math.max(size + more, 2 * size))
  received.copy(larger, 0, 0, size)
  return larger
}

const NOTHING = Buffer.alloc(0)

/**
 * Parses a body, which has to be a JSON object in UTF-8. `hold` counts the bytes that it takes beside those of its text, and may
 * throw: its values are kept until the answer, as its text is.
 */
export function parseObject(body: Buffer, hold: (bytes: number) => void = () => {}): object {
  if (body.length === 0) throw errors.invalidJson('The body is empty. Send a JSON object.')
  if (!isUtf8(body)) throw errors.invalidJson('The body is not UTF-8.')
  if (body.length > LARGE_BYTES) hold(bytesOfValues(body))
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8', startsWithMark(body) ? 3 : 0))
  } catch (error) {
    throw errors.invalidJson(`The body is not JSON: ${(error as Error).message.slice(0, 200)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw errors.invalidParams(['The body must be a JSON object'])
  return value
}

const LARGE_BYTES = 64 * 1024
const MOST_LEVELS = 200
const MOST_CONTAINERS = 1_000_000
/** An empty object takes 64 bytes, one with a field 80 to 340. A field whose name is no other's takes 90, a number 8 or 24. */
const BYTES_OF_CONTAINER = 100
const BYTES_OF_VALUE = 40
const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * About how many bytes the values of a body take, which may be 37 times its text. Throws what is too much for `JSON.parse`. A
 * batch of 10 MiB that is valid has at most 41 levels, and 950,000 arrays and objects. One that only opens arrays, 9 KB when
 * compressed, took 2.3 s and 0.5 GB. A small body is not looked through: it costs little.
 */
function bytesOfValues(body: Buffer): number {
  let [level, containers, values] = [0, 0, 0]
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === QUOTE) at = endOfString(body, at)
    else if (byte === COMMA) values += 1
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) level -= 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      level += 1
      containers += 1
      if (level > MOST_LEVELS) throw tooMuch(`${MOST_LEVELS} levels of arrays and objects`)
      if (containers > MOST_CONTAINERS) throw tooMuch(`${MOST_CONTAINERS.toLocaleString('en')} arrays and objects`)
    }
  }
  return containers * BYTES_OF_CONTAINER + values * BYTES_OF_VALUE
}

const tooMuch = (excess: string) => errors.invalidJson(`The body has more than ${excess}.`)

function endOfString(body: Buffer, open: number): number {
  let at = open + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

/** The byte order mark of UTF-8, which some tools on Windows write before JSON. */
function startsWithMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}
