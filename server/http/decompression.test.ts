import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { errors } from '../errors.ts'
import { decompress } from './decompression.ts'

const MIB = 1024 * 1024

describe.each(
  Object.entries({
    gzip: [gzipSync],
    deflate: [deflateSync, deflateRawSync],
    br: [brotliCompressSync],
    zstd: [zstdCompressSync],
  }).flatMap(([encoding, ways]) => ways.map((compress) => ({ encoding, compress, name: compress.name }))),
)('a body that is packed by $name', ({ encoding, compress }) => {
  it('is counted while it is decompressed, and refused before it has taken more than there is', async () => {
    const packed = compress(Buffer.alloc(10 * MIB, 'x'))
    let held = 0
    const hold = (bytes: number) => {
      if (held + bytes > MIB) throw errors.bodiesOverloaded()
      held += bytes
    }
    const outcome = decompress(packed, encoding, 10 * MIB, hold).then(
      () => 'read',
      ({ status }) => status,
    )
    expect(await outcome).toBe(503)
    expect(held).toBeGreaterThan(MIB / 2)
  })

  it('is counted in full when it is read', async () => {
    const text = 'Zürich '.repeat(100_000)
    let held = 0
    const read = await decompress(compress(Buffer.from(text)), encoding, 10 * MIB, (bytes) => (held += bytes))
    expect([read.toString() === text, held]).toEqual([true, Buffer.byteLength(text)])
  })
})
