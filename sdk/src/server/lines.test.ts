import { expect, it } from 'vitest'
import { LineReader } from './lines.ts'

it('reads messages whatever their pieces, and leaves out what is none', () => {
  const reader = new LineReader()
  const text =
    ': open\n\ndata: {"type":"hint","within_ms":5}\r\n\ndata: nonsense\n\ndata: {"type":"session","id":"s"}\n'
  const read = [...text].flatMap((character) => reader.read(character))
  expect(read).toEqual([
    { type: 'hint', within_ms: 5 },
    { type: 'session', id: 's' },
  ])
})

it('a line without an end does not grow for ever', () => {
  const reader = new LineReader()
  for (let count = 0; count < 100; count++) expect(reader.read('x'.repeat(10_000))).toEqual([])
  expect(reader.read('\ndata: {"type":"hint","within_ms":0}\n')).toHaveLength(1)
})
