import { expect, it } from 'vitest'
import { looksLikeFormula } from './spreadsheets.ts'

it.each([
  '=1+1',
  '+1',
  '-1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  '\n=1',
  '\uff1d1+1',
  '\uff0b1',
  '\uff0d1',
  '\uff20SUM(A1)',
  "'=1",
])('%j may be run by a spreadsheet', (text) => expect(looksLikeFormula(text)).toBe(true))

it.each(['', 'text', '1=1', 'a@example.com', "'text", ' =1'])('%j is a text', (text) =>
  expect(looksLikeFormula(text)).toBe(false),
)
