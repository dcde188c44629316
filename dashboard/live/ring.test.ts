import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Ring } from './ring.ts'

const row = (id: number) => ({ id: String(id) })

it('keeps the newest rows, the newest first', () => {
  const ring = new Ring<{ id: string }>(3)
  ring.add([row(1), row(2)])
  ring.add([row(3), row(4)])
  expect(ring.rows.map(({ id }) => id)).toEqual(['4', '3', '2'])
})

it('does not show a row twice when the stream repeats it', () => {
  const ring = new Ring<{ id: string }>(10)
  expect(ring.add([row(1), row(2)])).toBe(2)
  expect(ring.add([row(1), row(2), row(3)])).toBe(1)
  expect(ring.rows.map(({ id }) => id)).toEqual(['3', '2', '1'])
})

it('never holds more than its size, whatever arrives', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 50 }))), (batches) => {
      const ring = new Ring<{ id: string }>(7)
      for (const batch of batches) ring.add([...new Set(batch)].map(row))
      expect(ring.rows.length).toBeLessThanOrEqual(7)
      expect(new Set(ring.rows.map(({ id }) => id)).size).toBe(ring.rows.length)
    }),
  )
})
