import { expect, it } from 'vitest'
import { hasInexact, losesDigits } from './whole-numbers.ts'

const BEYOND = '9007199254740993'

it('finds a whole number that loses digits outside of strings, whatever their escapes', () => {
  for (const string of ['', 'a', '\\', '"', '\\"', `"${BEYOND}`, '\\\\"', `[${BEYOND},`]) {
    const before = JSON.stringify(string)
    expect([before, hasInexact(Buffer.from(`[${before},1]`))]).toEqual([before, false])
    expect([before, hasInexact(Buffer.from(`[${before},${BEYOND}]`))]).toEqual([before, true])
  }
})

it('reads past strings of nine megabytes', () => {
  for (const string of ['a'.repeat(9_000_000), '\\"'.repeat(4_500_000), '\\\\'.repeat(4_500_000)])
    expect(losesDigits(Number(BEYOND), Buffer.from(`["${string}",${BEYOND}]`))).toBe(true)
})
