import type { Duplex } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import { ApiError, errors } from '../errors.ts'

// A window of 8 MiB, which the RFC recommends for every decoder. It bounds the memory.
const zstd = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const decoders = new Map<string, (body: Buffer) => Duplex | undefined>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', (body) => (isZlib(body) ? createInflate() : createInflateRaw())],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress(zstd)],
  ['identity', () => undefined],
])

/** Some clients send `deflate` without the header that it should have (RFC 9110, 8.4.1.2). */
function isZlib(body: Buffer): boolean {
  return body.length >= 2 && ((body[0] as number) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
}

/** Before the body is read. */
export function checkEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && !decoders.has(nameOf(encoding))) throw errors.unsupportedEncoding()
}

/**
 * The limit is that of an uncompressed body. `hold` counts the bytes as they come, and may throw: many bodies are decompressed
 * at the same time, and together they are refused before they have taken their memory.
 */
export async function decompress(
  body: Buffer,
  encoding: string,
  mostBytes: number,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const name = nameOf(encoding)
  const decoder = decoders.get(name)?.(body)
  if (!decoder) return body
  decoder.end(body)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > mostBytes) throw errors.payloadTooLarge(mostBytes)
      hold(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw errors.invalidJson(`The body is not valid ${name}, although Content-Encoding says so.`)
  }
  return Buffer.concat(chunks)
}

function nameOf(encoding: string): string {
  return encoding.trim().toLowerCase()
}
