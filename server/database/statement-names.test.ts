import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { StatementNames } from './statement-names.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

it('keeps the names that are in use, and never assigns one to two texts', () => {
  const names = new StatementNames(3)
  const busy = names.nameOf('busy')
  const given = new Map<string, string>()
  for (const text of ['a', 'b', 'c', 'd', 'a', 'e', 'b']) {
    const name = names.nameOf(text)
    expect(given.get(name) ?? text).toBe(text)
    given.set(name, text)
    expect(names.nameOf('busy')).toBe(busy)
    expect(names.isCurrent(name)).toBe(true)
  }
  expect([...given.keys()].filter((name) => names.isCurrent(name))).toHaveLength(2)
})

it('a connection holds a bounded number of prepared statements, however many texts are sent, and all are answered', async () => {
  const held = () => test.database.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements', [])
  for (let text = 0; text < 1_000; text += 50) {
    const texts = Array.from({ length: 50 }, (_, index) => text + index)
    const answers = await Promise.all(
      texts.map((n) => test.database.query<{ n: number }>(`select ${n} + $1::int as n`, [1])),
    )
    expect(answers.map(([row]) => row?.n)).toEqual(texts.map((n) => n + 1))
    const counts = await Promise.all(Array.from({ length: 8 }, held))
    for (const [row] of counts) expect(row?.n).toBeLessThanOrEqual(350)
  }
})

it('a failed transaction does not keep a connection from deallocating statements', async () => {
  const transaction = await test.database.begin()
  await expect(transaction.query('select 1 / $1::int', [0])).rejects.toThrow()
  for (let text = 0; text < 310; text += 1) await transaction.query(`select $1::int, ${text}`, [1]).catch(() => {})
  await transaction.abandon(new Error('as expected'))
  for (let text = 0; text < 700; text += 1)
    expect(await test.database.query(`select $1::int as n, ${text}`, [text])).toMatchObject([{ n: text }])
})
