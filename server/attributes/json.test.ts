import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { toAttributesJson } from './json.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const nameUnit = fc.constantFrom(...'abzABZ019_- ')
const name = fc.oneof(
  fc.string({ unit: nameUnit, minLength: 1, maxLength: 12 }),
  fc.constantFrom('constructor', 'toString', '0', '10', '9', '-1', 'a', 'aa', 'B'),
)
const text = fc
  .string({ unit: 'binary', maxLength: 30 })
  .filter((value) => value.isWellFormed() && !value.includes('\0'))
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(1e21, 1.5e300, -1.25e-7, 5e-324, 1.7976931348623157e308, 1e-6, 1e-7, -0, 0.1 + 0.2, 123456789e15),
)
const attributes = fc.dictionary(name, fc.oneof(text, number, fc.boolean()), { maxKeys: 12 })

it('writes attributes byte for byte as PostgreSQL prints the jsonb that is made of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(attributes, { minLength: 1, maxLength: 40 }), async (maps) => {
      const texts = maps.map((map) => toAttributesJson(map))
      const rows = await test.database.query<{ printed: string }>(
        'select given::jsonb::text as printed from unnest($1::text[]) with ordinality as rows (given, place) order by place',
        [texts],
      )
      expect(rows.map(({ printed }) => printed)).toEqual(texts)
      // The text parses back to the map.
      expect(texts.map((each) => JSON.parse(each))).toEqual(maps.map((map) => JSON.parse(JSON.stringify(map))))
    }),
    { numRuns: 100 },
  )
})
