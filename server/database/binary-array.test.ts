import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { binaryArray } from './binary-array.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it.each([
  ['no text', []],
  ['an empty text', ['']],
  ['texts that an array literal or JSON would escape', ['{"a":"b\\"c"}', 'null', 'NULL', '{1,2}', "it's", '\u0001\n']],
  ['nulls among texts', [null, 'null', '', null]],
  ['texts of several bytes per character', ['é', '😀', 'x'.repeat(70_000)]],
])('PostgreSQL reads %s unchanged', async (_, texts: (string | null)[]) => {
  const rows = await test.database.query<{ text: string | null }>('select text from unnest($1::text[]) as text', [
    binaryArray('text', texts),
  ])
  expect(rows.map(({ text }) => text)).toEqual(texts)
})

it('PostgreSQL reads bytes from their hexadecimal digits', async () => {
  const bytes = ['', '00', 'ff00aa']
  const rows = await test.database.query<{ hex: string }>(
    `select encode(bytes, 'hex') as hex from unnest($1::bytea[]) as bytes`,
    [binaryArray('bytea', bytes)],
  )
  expect(rows.map(({ hex }) => hex)).toEqual(bytes)
})
