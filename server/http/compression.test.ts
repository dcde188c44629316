import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { Compression, LEAST_BYTES } from './compression.ts'

const text = 'ü'.repeat(LEAST_BYTES / 2)
const asking = (accept: string, method = 'GET') => ({ method, headers: { 'accept-encoding': accept } })
const encodingOf = async (accept: string) => (await new Compression().pack(asking(accept), text))?.encoding

describe('the encoding of an answer', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=0', undefined],
    ['identity', undefined],
    ['*;q=0', undefined],
    ['deflate, zstd', undefined],
    ['br;q=x', undefined],
    ['', undefined],
  ])('for %j is %s', async (accept, encoding) => {
    expect(await encodingOf(accept)).toBe(encoding)
  })
})

it('an answer is the same after decompression', async () => {
  const br = await new Compression().pack(asking('br'), text)
  const gzip = await new Compression().pack(asking('gzip'), text)
  expect(brotliDecompressSync(br?.bytes as Buffer).toString()).toBe(text)
  expect(gunzipSync(gzip?.bytes as Buffer).toString()).toBe(text)
})

it('an answer below 1 KB, or one that nobody asks to compress, is sent as it is', () => {
  expect(new Compression().pack(asking('br'), text.slice(1))).toBeUndefined()
  expect(new Compression().pack({ method: 'GET', headers: {} }, text)).toBeUndefined()
  expect(new Compression().pack(asking('br', 'HEAD'), text)).toBeUndefined()
})

it('while as many bytes as allowed are being compressed, further answers are sent as they are', async () => {
  const compression = new Compression(2 * LEAST_BYTES)
  const running = [compression.pack(asking('br'), text), compression.pack(asking('gzip'), text)]
  expect(compression.pack(asking('br'), text)).toBeUndefined()
  await Promise.all(running)
  expect((await compression.pack(asking('br'), text))?.encoding).toBe('br')
})
