import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'

/** A file to import, or standard input (`-`). */
export interface Source {
  name: string
  /** The same for the same content; undefined for standard input, which can be read only once. */
  identity: string | undefined
  bytes: number | undefined
  /** The unpacked content. `onRead` is called with the number of bytes before unpacking. */
  read(onRead: (bytes: number) => void): AsyncIterable<Buffer>
}

export const STDIN = '-'

export async function openSource(path: string, stdin: AsyncIterable<Buffer> = process.stdin): Promise<Source> {
  if (path === STDIN)
    return {
      name: 'standard input',
      identity: undefined,
      bytes: undefined,
      read: (onRead) => unpack(count(stdin, onRead)),
    }
  const { size } = await stat(path)
  return {
    name: path,
    identity: await hashOf(path),
    bytes: size,
    read: (onRead) => unpack(count(createReadStream(path), onRead)),
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk)
  return hash.digest('hex')
}

async function* count(stream: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onRead(chunk.length)
    yield chunk
  }
}

/** Gzip is detected by its first two bytes. */
async function* unpack(stream: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await stream.next()
  if (first.done) return
  const all = join(first.value, stream)
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) return yield* all
  const gunzip = createGunzip()
  const fed = feed(gunzip, all)
  yield* gunzip as AsyncIterable<Buffer>
  await fed
}

async function* join(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first
  yield* rest
}

async function feed(gunzip: ReturnType<typeof createGunzip>, chunks: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!gunzip.write(chunk)) await new Promise((resolve) => gunzip.once('drain', resolve))
    }
    gunzip.end()
  } catch (error) {
    gunzip.destroy(error as Error)
  }
}
