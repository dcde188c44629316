import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bounded, boundedWords, bytes, count, counted, percent, sentence, short } from './number.ts'

const plain = (text: string) => text.replaceAll('\u2009', ' ')

describe('figures', () => {
  it.each([
    [0, '0'],
    [48_213, '48,213'],
    [9_999_999, '9,999,999'],
    [42_018_377, '42.0 M'],
  ])('shows the count %d as %s', (value, text) => {
    expect(plain(count(value, 'en'))).toBe(text)
  })

  it.each([
    [1200, '1,200'],
    [40_000, '40 k'],
    [1_800_000, '1.8 M'],
  ])('shortens %d on an axis to %s', (value, text) => {
    expect(plain(short(value, 'en'))).toBe(text)
  })

  it.each([
    [1_842_110, 1_848_236, '99.67 %'],
    [941, 1000, '94.1 %'],
    [5, 5, '100 %'],
    [0, 5, '0 %'],
    [0, 0, '–'],
    [999_999, 1_000_000, '99.99 %'],
    [1, 1_000_000, '0.01 %'],
    [28, 10_000, '0.28 %'],
  ])('shows %d of %d as %s', (part, whole, text) => {
    expect(plain(percent(part, whole, 'en'))).toBe(text)
  })

  it('never rounds a share to 0 or 100', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 1e9 }), fc.double({ min: 0, max: 1, noNaN: true }), (whole, share) => {
        const part = Math.min(whole - 1, Math.max(1, Math.floor(whole * share)))
        expect(['0 %', '0.0 %', '100 %', '100.0 %', '100.00 %']).not.toContain(plain(percent(part, whole, 'en')))
      }),
    )
  })

  it.each([
    [1, '1 byte'],
    [486, '486 bytes'],
    [4096, '4 KB'],
    [1_572_864, '1.5 MB'],
  ])('shows %d bytes as %s', (size, text) => {
    expect(plain(bytes(size, 'en'))).toBe(text)
  })

  it('counts one thing in the singular', () => {
    expect(counted(1, 'delivery', 'deliveries', 'en')).toBe('1 delivery')
    expect(counted(312, 'delivery', 'deliveries', 'en')).toBe('312 deliveries')
  })
})

describe('a count that stopped at its bound', () => {
  it('says so, as a figure and in a sentence', () => {
    const stopped = { count: 1000, is_more: true }
    expect(bounded(stopped, 'en')).toBe('1,000+')
    expect(boundedWords(stopped, 'delivery waits', 'deliveries wait', 'en')).toBe('more than 1,000 deliveries wait')
    expect(sentence(boundedWords(stopped, 'event', undefined, 'en'))).toBe('More than 1,000 events')
  })

  it('is the count where it did not stop', () => {
    expect(bounded({ count: 1, is_more: false }, 'en')).toBe('1')
    expect(boundedWords({ count: 1, is_more: false }, 'delivery waits', 'deliveries wait', 'en')).toBe(
      '1 delivery waits',
    )
  })
})
