import { describe, expect, it } from 'vitest'
import { duration, roughly, whole } from './duration.ts'

const plain = (text: string) => text.replaceAll('\u2009', ' ')

describe('durations', () => {
  it.each([
    [0, '0 ms'],
    [0.04, '0.1 ms'],
    [0.9, '0.9 ms'],
    [84, '84 ms'],
    [999.6, '1.00 s'],
    [2140, '2.14 s'],
    [59_999, '1 min'],
    [375_000, '6 min 15 s'],
    [11_520_000, '3 h 12 min'],
    [3_600_000, '1 h'],
    [90_000_000, '1 d 1 h'],
  ])('shows %d ms as %s', (ms, text) => {
    expect(plain(duration(ms))).toBe(text)
  })

  it.each([
    [42_400, '42 s'],
    [950_000, '15 min 50 s'],
    [-5, '0 s'],
  ])('counts %d ms down in whole units: %s', (ms, text) => {
    expect(plain(whole(ms))).toBe(text)
  })

  it('shows an age in its largest unit', () => {
    expect(plain(roughly(13 * 60_000 + 5000))).toBe('13 min')
    expect(plain(roughly(400))).toBe('0 s')
  })
})
