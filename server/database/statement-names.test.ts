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
    const name = names.nameOf(text) as string
    expect(given.get(name) ?? text).toBe(text)
    given.set(name, text)
    expect(names.nameOf('busy')).toBe(busy)
    expect(names.isCurrent(name)).toBe(true)
  }
  expect([...given.keys()].filter((name) => names.isCurrent(name))).toHaveLength(2)
})

it('bounds the length of all texts with a name, and a text of more than its share has none', () => {
  const names = new StatementNames(300, 800)
  const texts = Array.from({ length: 30 }, (_, n) => String(n).padEnd(90, '-'))
  const given = texts.map((text) => names.nameOf(text) as string)
  expect(given.filter((name) => names.isCurrent(name))).toEqual(given.slice(-8))
  expect(names.nameOf('x'.repeat(101))).toBeUndefined()
  expect(given.filter((name) => names.isCurrent(name))).toHaveLength(8)
})

it('statements with long texts take a bounded part of the memory of a connection, and all are answered', async () => {
  const read = async (texts: readonly string[]) => {
    const answers = texts.map((text) => test.database.query<{ n: number }>(text, [1]))
    expect((await Promise.all(answers)).map(([row]) => row?.n)).toEqual(texts.map(() => 1))
  }
  for (let step = 0; step < 10; step += 1)
    await read(Array.from({ length: 10 }, (_, n) => `select $1::int as n -- ${step}${n} ${'-'.repeat(50_000)}`))
  await read([`select $1::int as n -- ${'-'.repeat(100_000)}`, `select $1::int as n -- ${'+'.repeat(1_000_000)}`])
  const held = () =>
    test.database.query<{ characters: number }>(
      'select sum(length(statement))::int as characters from pg_prepared_statements',
      [],
    )
  for (const [row] of await Promise.all(Array.from({ length: 8 }, held)))
    expect(row?.characters).toBeLessThan(2 * 512 * 1024)
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
