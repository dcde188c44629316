import { expect, it } from 'vitest'
import { fitsText, fitsUrl } from './url-pattern.ts'

it.each([
  ['/projects/*', 'https://app.example/projects/7', true],
  ['/projects/*', 'https://app.example/projects', false],
  ['/projects/*', 'https://app.example/projects/7/board', false],
  ['/projects/**', 'https://app.example/projects', true],
  ['/projects/**', 'https://app.example/projects/7/board?x=1#y', true],
  ['/**/board', 'https://app.example/projects/7/board', true],
  ['/**/board/**', 'https://app.example/a/board/board/c', true],
  ['/**/board', 'https://app.example/projects/7/boards', false],
  ['/', 'https://app.example/', true],
  ['/', 'https://app.example/a', false],
  ['/caf%C3%A9', 'https://app.example/café', true],
  ['/projects/', 'https://app.example/projects', true],
  ['/a?tab=usage', 'https://app.example/a?x=1&tab=usage', true],
  ['/a?tab=usage', 'https://app.example/a?tab=plan', false],
  ['/a?tab', 'https://app.example/a?tab=plan', true],
  ['/a?tab=*', 'https://app.example/a?tab=plan', true],
  ['/a?tab=*', 'https://app.example/a', false],
  ['?tab=usage', 'https://app.example/anything?tab=usage', true],
  ['https://app.example/a', 'https://app.example/a', true],
  ['https://app.example/a', 'http://app.example/a', false],
  ['https://*.example/**', 'https://app.example/a/b', true],
  ['https://*.example', 'https://a.b.example/', false],
  ['/a', 'not an address', false],
])('%s and %s: %s', (pattern, address, fits) => {
  expect(fitsUrl(pattern, address)).toBe(fits)
})

it('stars in a text take time in proportion to its length', () => {
  expect(fitsText('*a'.repeat(2_000), 'a'.repeat(100_000))).toBe(true)
  expect(fitsText(`${'*a'.repeat(2_000)}b`, 'a'.repeat(100_000))).toBe(false)
})
