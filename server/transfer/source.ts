import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, constants, stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import { fileReason } from '../files/reason.ts'
import { StartupError } from '../startup-error.ts'

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

/** Throws when a file does not exist or may not be read. Of several files all are checked before the first is imported. */
export async function checkSource(path: string): Promise<void> {
  if (path === STDIN) return
  try {
    await access(path, constants.R_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new StartupError(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read: ${fileReason(error)}.`,
    )
  }
  if ((await stat(path)).isDirectory()) throw new StartupError(`${path} is a folder: name the files in it.`)
}

export async function openSource(path: string, stdin: AsyncIterable<Buffer> = process.stdin): Promise<Source> {
  if (path === STDIN) return streamed('standard input', stdin)
  const found = await stat(path)
  if (found.isFile()) return await fileOf(path, found.size)
  // A pipe or a device.
  return streamed(path, createReadStream(path))
}

/** Can be read only once, and so cannot be identified. */
function streamed(name: string, stream: AsyncIterable<Buffer>): Source {
  return { name, identity: undefined, bytes: undefined, read: (onRead) => unpack(count(stream, onRead)) }
}

async function fileOf(path: string, size: number): Promise<Source> {
  // What is appended after the content was identified belongs to another source.
  const open = (highWaterMark?: number) => createReadStream(path, { end: Math.max(size - 1, 0), highWaterMark })
  const identity = await hashOf(open(1024 * 1024))
  // A packed file is read to its end before anything of it is stored: after a repair it would be another source, and
  // lines would be stored twice.
  for await (const _ of unpack(gzipOnly(open())));
  return { name: path, identity, bytes: size, read: (onRead) => unpack(count(open(), onRead)) }
}

async function hashOf(chunks: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

/** The bytes of a gzip file; none of any other file. */
async function* gzipOnly(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isPacked: boolean | undefined
  for await (const chunk of chunks) {
    isPacked ??= isGzip(chunk)
    if (!isPacked) return
    yield chunk
  }
}

async function* count(stream: AsyncIterable<Buffer>, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    onRead(chunk.length)
    yield chunk
  }
}

/** By the first two bytes. */
function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

async function* unpack(stream: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const first = await stream.next()
  if (first.done) return
  const all = join(first.value, stream)
  if (!isGzip(first.value)) return yield* all
  const gunzip = createGunzip()
  const fed = feed(gunzip, all)
  try {
    yield* gunzip as AsyncIterable<Buffer>
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw error
    throw new StartupError(`The gzip data is damaged or incomplete (${(error as Error).message}).`)
  }
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
