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
    : after(received, (body) => decompressed(exchange, body, encoding, mostBytes))
}

async function decompressed(exchange: Exchange, body: Buffer, encoding: string, mostBytes: number): Promise<Buffer> {
  const bytes = await decompress(body, encoding, mostBytes)
  exchange.holdBytes(bytes.length)
  return bytes
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
    let chunks: Buffer[] | undefined = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      if (!chunks) return
      try {
        size += chunk.length
        if (size > mostBytes) throw errors.payloadTooLarge(mostBytes)
        exchange.holdBytes(chunk.length)
        chunks.push(chunk)
      } catch (error) {
        chunks = undefined
        reject(error)
      }
    })
    request.on('end', () => chunks && resolve(Buffer.concat(chunks)))
  })
}

const NOTHING = Buffer.alloc(0)

/** Parses a body, which has to be a JSON object in UTF-8. */
export function parseObject(body: Buffer): object {
  if (body.length === 0) throw errors.invalidJson('The body is empty. Send a JSON object.')
  if (!isUtf8(body)) throw errors.invalidJson('The body is not UTF-8.')
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

/** The byte order mark of UTF-8, which some tools on Windows write before JSON. */
function startsWithMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}
