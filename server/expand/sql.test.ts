import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { mostBytes } from './sql.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const NUMBERS = [0, 1, -1, 1e300, -1e-250, 5e-324, 1.7976931348623157e308, 2.2250738585072014e-308, 0.1, 1e21]
const TEXTS = ['', 'a', '\u0001', '"', '\\', 'é', '😀', '\u2028', 'word']
const pick = <T>(values: readonly T[]) => values[Math.floor(Math.random() * values.length)] as T
const anyValue = () => pick([null, true, false, pick(NUMBERS), pick(TEXTS).repeat(Math.floor(Math.random() * 50))])

const attributes = (size: number, value: () => unknown) =>
  JSON.stringify(
    Object.fromEntries(Array.from({ length: size }, (_, index) => [`${pick(['', 'k_'])}${index}`, value()])),
  )

it('takes no attributes for shorter than their text is', async () => {
  const documents = [
    ...Array.from({ length: 500 }, () => attributes(Math.floor(Math.random() * 30), anyValue)),
    ...[...NUMBERS, ...TEXTS, true, null].map((same) => attributes(40, () => same)),
  ]
  const rows = await test.database.query<{ most: number; bytes: number }>(
    `select ${mostBytes('attributes')}::float8 as most, octet_length(attributes::text)::float8 as bytes
       from unnest($1::jsonb[]) as attributes`,
    [documents],
  )
  for (const { most, bytes } of rows) expect(bytes).toBeLessThanOrEqual(most)
  expect(rows.length).toBe(documents.length)
})
