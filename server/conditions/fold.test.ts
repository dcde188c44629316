import { expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { compareBy } from './compare.ts'
import { fold } from './fold.ts'

it('letters become lower case one for one, in long texts as in short ones, and nothing else changes', () => {
  const text = 'AÉΣЖԱẞ İ 漢 😀 {z'
  expect(fold(text)).toBe('aéσжաß İ 漢 😀 {z')
  expect(fold(text.repeat(500))).toBe(fold(text).repeat(500))
})

it('a long value that many conditions compare is folded once', () => {
  const long = 'É'.repeat(8_000)
  const equals = compareBy({ is: 'equals', value: 'x', ignore_case: true })
  let count = 0
  const different = () => void fold(`${long}${count++}`)
  const same = () => {
    for (let time = 0; time < 100; time += 1) equals(long, 0)
  }
  // 100 when it is folded each time.
  expect(growthOf(different, same, 20)).toBeLessThan(20)
})
