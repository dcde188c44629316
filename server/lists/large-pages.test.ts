import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId } from '../database/database.ts'
import { type RequestedPage, readTogether } from './read-together.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const items = (megabytes: number) => `repeat('x', ${megabytes} * 1024 * 1024) as items, 1 as found`

function page(megabytes: number): RequestedPage {
  return {
    environmentId: 1 as EnvironmentId,
    text: `select ${items(megabytes)} where $1::int + $2::int > 0`,
    together: `select ${items(megabytes)}, number::int from unnest($2::int[]) with ordinality as wanted (own, number) where $1::int > 0`,
    ...{ common: [], sequence: 1, weight: 'plain', own: [1] },
  }
}

it('pages that are large are read alone, and small ones together', async () => {
  const query = vi.spyOn(test.database, 'query')
  const read = async (megabytes: number) => {
    query.mockClear()
    const rows = await Promise.all(Array.from({ length: 12 }, () => readTogether(test.database, page(megabytes))))
    expect(rows.map((row) => row.items?.length)).toEqual(rows.map(() => megabytes * 1024 * 1024))
    const answers = await Promise.allSettled(
      query.mock.results.map(({ value }) => value as Promise<{ items: string }[]>),
    )
    return answers.map((each) => (each.status === 'fulfilled' ? each.value.length : 'refused'))
  }
  expect(await read(1)).toEqual([3, 3, 3, 3])
  expect((await read(12)).sort()).toEqual([...Array(12).fill(1), ...Array(4).fill('refused')])
})
