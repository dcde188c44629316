import fc from 'fast-check'
import { expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { searchFor } from './text-search.ts'

it('finds what the engine finds, in short and in long texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'ab', '😀'), { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, fc.nat(2), (part, other, times) => {
      const long = `${other.repeat(2_000)}${part.slice(0, -1)}${other}${part.repeat(times)}`
      const wide = part.repeat(300)
      for (const searched of [part, wide, `${wide}b`, `b${wide}`])
        expect(searchFor(searched)(long)).toBe(long.includes(searched))
    }),
  )
})

it('takes the time of both lengths together, whatever the texts are', () => {
  const search = (length: number) => {
    const half = 'x'.repeat(length / 2)
    const isIn = searchFor(`${half}y${half}`)
    const text = 'x'.repeat(4 * length)
    return () => void isIn(text)
  }
  // 8 for a linear search, 64 for a square.
  expect(growthOf(search(512), search(4_096), 30)).toBeLessThan(30)
})
