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

/** Parses a body, which has to be a JSON object in UTF-8. */
export function parseObject(body: Buffer): object {
  if (body.length === 0) throw errors.invalidJson('The body is empty. Send a JSON object.')
  if (!isUtf8(body)) throw errors.invalidJson('The body is not UTF-8.')
  const excess = body.length > LARGE_BYTES ? excessOf(body) : undefined
  if (excess) throw errors.invalidJson(`The body has more than ${excess}.`)
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
const [QUOTE, BACKSLASH] = [34, 92]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * What is too much for `JSON.parse`. A batch of 10 MiB that is valid has at most 41 levels, and 950,000 arrays and objects. One
 * that only opens arrays, 9 KB when compressed, took 2.3 s and 0.5 GB. A small body is not looked through: it costs little.
 */
function excessOf(body: Buffer): string | undefined {
  let [level, containers] = [0, 0]
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === QUOTE) at = endOfString(body, at)
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) level -= 1
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      level += 1
      containers += 1
      if (level > MOST_LEVELS) return `${MOST_LEVELS} levels of arrays and objects`
      if (containers > MOST_CONTAINERS) return `${MOST_CONTAINERS.toLocaleString('en')} arrays and objects`
    }
  }
  return undefined
}

function endOfString(body: Buffer, open: number): number {
  let at = open + 1
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1
  return at
}

/** The byte order mark of UTF-8, which some tools on Windows write before JSON. */
function startsWithMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}
