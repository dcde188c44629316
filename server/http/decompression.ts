import { promisify } from 'node:util'
import { brotliDecompress, constants, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'
import { errors } from '../errors.ts'

interface Bound {
  maxOutputLength: number
}
type Decompress = (body: Buffer, bound: Bound) => Promise<Buffer>

// A window of 8 MiB, which the RFC recommends for every decoder. It bounds the memory.
const zstd = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

const decoders = new Map<string, Decompress>([
  ['gzip', promisify<Buffer, Bound, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, Bound, Buffer>(gunzip)],
  ['deflate', async (body, bound) => await (isZlib(body) ? inflated : rawInflated)(body, bound)],
  ['br', promisify<Buffer, Bound, Buffer>(brotliDecompress)],
  ['zstd', async (body, bound) => await promisify(zstdDecompress)(body, { ...bound, ...zstd })],
  ['identity', async (body) => body],
])

const inflated = promisify<Buffer, Bound, Buffer>(inflate)
const rawInflated = promisify<Buffer, Bound, Buffer>(inflateRaw)

/** Some clients send `deflate` without the header that it should have (RFC 9110, 8.4.1.2). */
function isZlib(body: Buffer): boolean {
  return body.length >= 2 && ((body[0] as number) & 0x0f) === 8 && body.readUInt16BE(0) % 31 === 0
}

/** Before the body is read. */
export function checkEncoding(encoding: string | undefined): void {
  if (encoding !== undefined && !decoders.has(nameOf(encoding))) throw errors.unsupportedEncoding()
}

/** The limit is that of an uncompressed body. */
export async function decompress(body: Buffer, encoding: string, mostBytes: number): Promise<Buffer> {
  try {
    return await (decoders.get(nameOf(encoding)) as Decompress)(body, { maxOutputLength: mostBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw errors.payloadTooLarge(mostBytes)
    throw errors.invalidJson(`The body is not valid ${nameOf(encoding)}, although Content-Encoding says so.`)
  }
}

function nameOf(encoding: string): string {
  return encoding.trim().toLowerCase()
}
