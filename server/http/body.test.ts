import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { parseObject, readBody } from './body.ts'
import type { Exchange } from './exchange.ts'

/** A body that arrives in pieces, each in the same memory. */
async function receive(pieces: readonly string[], mostBytes: number): Promise<{ text: string; held: number }> {
  const request = Object.assign(new EventEmitter(), { complete: false, headers: {} })
  let held = 0
  const exchange = { request, askForBody: () => {}, holdBytes: (bytes: number) => (held += bytes) }
  const received = readBody(exchange as unknown as Exchange, mostBytes) as Promise<Buffer>
  const memory = Buffer.alloc(Math.max(...pieces.map((piece) => piece.length)))
  for (const piece of pieces) request.emit('data', memory.subarray(0, memory.write(piece)))
  request.emit('end')
  return { text: String(await received), held }
}

describe('a body that arrives in pieces', () => {
  it('of one byte is copied, and none of its pieces is kept', async () => {
    const pieces = Array.from({ length: 100_000 }, (_, index) => String(index % 10))
    expect(await receive(pieces, 100_000)).toEqual({ text: pieces.join(''), held: 100_000 })
  })

  it('of any length is read up to its limit, and refused beyond it', async () => {
    for (const pieces of [['a'], ['a'.repeat(70_000), 'b'], ['a', 'b'.repeat(300_000), 'c'.repeat(5)]]) {
      const text = pieces.join('')
      expect(await receive(pieces, text.length)).toEqual({ text, held: text.length })
      await expect(receive(pieces, text.length - 1)).rejects.toMatchObject({ status: 413 })
    }
  })
})

describe('a large body', () => {
  const room = 'x'.repeat(70_000)
  const nested = (levels: number, text: string) =>
    Buffer.from(`{"text":${JSON.stringify(text)},"list":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`)

  it('of more than 200 levels is refused before it is parsed', () => {
    expect(parseObject(nested(200, room))).toHaveProperty('text', room)
    expect(() => parseObject(nested(201, room))).toThrow('more than 200 levels')
    expect(parseObject(nested(201, 'small'))).toHaveProperty('text', 'small')
  })

  it('of more than 1,000,000 arrays and objects is refused before it is parsed', () => {
    const containers = (count: number) => Buffer.from(`{"list":[${'{},'.repeat(count - 3)}{}]}`)
    expect(parseObject(containers(1_000_000))).toHaveProperty('list.999997', {})
    expect(() => parseObject(containers(1_000_001))).toThrow('more than 1,000,000 arrays and objects')
  })

  it('counts with what its values take, which can be many times its text', () => {
    const heldFor = (text: string) => {
      let held = 0
      parseObject(Buffer.from(text), (bytes) => {
        held += bytes
      })
      return held
    }
    // Measured: 64, 90 and 335 bytes each.
    expect(heldFor(`{"list":[${'{},'.repeat(50_000)}{}]}`)).toBeGreaterThan(50_000 * 64)
    expect(heldFor(`{${Array.from({ length: 50_000 }, (_, index) => `"${index}k":0`)}}`)).toBeGreaterThan(50_000 * 30)
    expect(heldFor(`{"list":[${'{"31":0},'.repeat(50_000)}{}]}`)).toBeGreaterThan(50_000 * 100)
    expect(heldFor(JSON.stringify({ text: room }))).toBeLessThan(1_000)
  })

  it('may have any brackets in its texts', () => {
    for (const text of ['['.repeat(1_000), '"['.repeat(1_000), '\\"['.repeat(1_000), `${'['.repeat(300)}\\`])
      expect(parseObject(nested(200, room + text))).toHaveProperty('text', room + text)
    expect(() => parseObject(Buffer.from(`{"text":"${room}`))).toThrow('not JSON')
  })
})
