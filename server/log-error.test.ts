import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../test/support/database.ts'
import { errorForLog } from './log-error.ts'

const VALUE = 'ada@example.com'
let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
  await test.database.query('create table people (email text primary key check (email <> $$$$), n int not null)', [])
  await test.database.query('insert into people values ($1::text, 1)', [VALUE])
})
afterAll(() => test.close())

it.each([
  ['a duplicate', 'insert into people values ($1::text, 1)'],
  ['a missing value', 'insert into people values ($1::text || 2, null)'],
  ['a text that is no number', 'select ($1::text || $$"$$)::int'],
  ['a text that is no JSON', 'select $1::text::jsonb'],
  ['a value too long', 'select row($1::text)::people'],
])('the log of %s names the failure and holds no value', async (_, statement) => {
  const error = await test.database.query(statement, [VALUE]).catch((caught: unknown) => caught)
  const logged = errorForLog(error)
  expect(logged).toMatchObject({ type: 'DatabaseError', code: expect.stringMatching(/^\w{5}$/) })
  expect(JSON.stringify(logged)).not.toContain(VALUE)
  const wrapped = JSON.stringify(errorForLog(new Error('outer', { cause: error })))
  expect(wrapped).not.toContain(VALUE)
  expect(wrapped).toContain('outer')
})

it('other errors keep their message', () => {
  const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', port: 1 })
  expect(errorForLog(error)).toMatchObject({ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED', port: 1 })
})
