import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const post = (body: string | Buffer, encoding: string) =>
  server.client.send('POST', '/users', body, { 'content-encoding': encoding })

/** As fast as they can: the bombs are large. */
const gzip = (text: string) => gzipSync(text, { level: 1 })
const encodings: Record<string, (text: string) => Buffer> = {
  gzip,
  'x-gzip': gzip,
  GZIP: gzip,
  deflate: (text) => deflateSync(text, { level: 1 }),
  ' deflate ': (text) => deflateRawSync(text, { level: 1 }),
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: zstdCompressSync,
  identity: Buffer.from,
}

/** A valid body of so many bytes. */
const bodyOf = (bytes: number) => `{"id":"u"}${' '.repeat(bytes - 10)}`
const bomb = bodyOf(64 * limits.bodyBytes)
const bombs = new Map<(text: string) => Buffer, Buffer>()
/** Three names are of the same bytes. */
function bombOf(compress: (text: string) => Buffer): Buffer {
  const made = bombs.get(compress) ?? compress(bomb)
  bombs.set(compress, made)
  return made
}

describe.each(Object.entries(encodings))('a body with Content-Encoding: %s', (encoding, compress) => {
  it('is read', async () => {
    const id = `u ${encoding}`
    const { status, body } = await post(compress(JSON.stringify({ id, attributes: { city: 'Zürich' } })), encoding)
    expect([status, body.id, body.attributes]).toEqual([200, id, { city: 'Zürich' }])
  })

  it('is limited after decompression', async () => {
    expect((await post(compress(bodyOf(limits.bodyBytes)), encoding)).status).toBe(200)
    for (const tooLarge of [compress(bodyOf(limits.bodyBytes + 1)), bombOf(compress)]) {
      const { status, body } = await post(tooLarge, encoding)
      expect([status, body.error.code]).toEqual([413, 'payload_too_large'])
    }
  })

  if (!encoding.startsWith('identity'))
    it('that is broken is 400, and nothing of it is stored', async () => {
      const whole = compress(JSON.stringify({ id: 'broken', attributes: { text: 'x'.repeat(100) } }))
      for (const broken of [whole.subarray(0, whole.length - 5), Buffer.from('{"id":"broken"}'), Buffer.alloc(0)]) {
        const { status, body } = await post(broken, encoding)
        expect([status, body.error.code]).toEqual([400, 'invalid_json'])
      }
      expect((await server.client.get('/users/broken')).status).toBe(404)
    })
})

it('any other Content-Encoding is 415, which says what is taken, before the body is read', async () => {
  for (const encoding of ['compress', 'gzip, gzip', 'gzip;q=1', 'nonsense', 'constructor']) {
    const { status, body, headers } = await post('{"id":"other"}', encoding)
    expect([encoding, status, body.error.code]).toEqual([encoding, 415, 'unsupported_media_type'])
    expect(headers['accept-encoding']).toBe('gzip, deflate, br, zstd')
  }
  expect((await server.client.get('/users/other')).status).toBe(404)
})

it('a UTF-8 byte order mark before the JSON is skipped, also a compressed one', async () => {
  for (const [id, body, headers] of [
    ['bom', '\ufeff{"id":"bom"}', {}],
    ['bom gzip', gzipSync('\ufeff{"id":"bom gzip"}'), { 'content-encoding': 'gzip' }],
  ] as const) {
    const { status, body: answer } = await server.client.send('POST', '/users', body, headers)
    expect([status, answer.id]).toEqual([200, id])
  }
  expect((await server.client.send('POST', '/users', '\ufeff')).body.error.code).toBe('invalid_json')
})

describe('an answer', () => {
  /** The bytes as they were sent: `fetch` would decompress them. */
  const answer = async (path: string, headers: Record<string, string>) => {
    const options = { port: server.port, path, headers: { authorization: `Bearer ${server.key}`, ...headers } }
    const [response] = (await once(request(options).end(), 'response')) as [IncomingMessage]
    return { headers: response.headers, bytes: Buffer.concat(await response.toArray()) }
  }

  it('above 1 KB is compressed for a client that asks for it, and is the same', async () => {
    const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`name ${index}`, 'Zürich']))
    await server.client.post('/users', { id: 'long', attributes })
    const plain = await answer('/users/long', {})
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await answer('/users/long', { 'accept-encoding': encoding })
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        'content-length': String(packed.bytes.length),
        'content-type': plain.headers['content-type'],
      })
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(decompress(packed.bytes)).toEqual(plain.bytes)
    }
  })

  it('below 1 KB is sent as it is', async () => {
    await server.client.post('/users', { id: 'short' })
    const { headers, bytes } = await answer('/users/short', { 'accept-encoding': 'br, gzip' })
    expect([headers['content-encoding'], JSON.parse(bytes.toString()).id]).toEqual([undefined, 'short'])
  })
})
