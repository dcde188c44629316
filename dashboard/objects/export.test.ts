import { expect, it } from 'vitest'
import { cell } from './export.ts'

it.each([
  ['plain', 'plain'],
  ['a "b", c', '"a ""b"", c"'],
  ['=cmd()', "'=cmd()"],
  ["'=cmd()", "''=cmd()"],
  ["'quoted'", "'quoted'"],
  [-5, '-5'],
  [undefined, ''],
  [true, 'true'],
])('writes %j as the cell %s', (value, text) => {
  expect(cell(value)).toBe(text)
})
