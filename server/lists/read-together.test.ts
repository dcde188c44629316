import { DatabaseError } from 'pg'
import { expect, it } from 'vitest'
import type { EnvironmentId, Reader } from '../database/database.ts'
import { type RequestedPage, readTogether } from './read-together.ts'

type Answer = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** A reader that records its statements, and answers each page with its own values. */
function reader(answer: Answer = own) {
  const asked: { text: string; values: readonly unknown[] }[] = []
  const query = async (text: string, values: readonly unknown[]) => {
    asked.push({ text, values })
    return (await answer(text, values)) as never
  }
  return { db: { query, queryUnprepared: query, isDistributed: false } satisfies Reader, asked }
}

const own: Answer = async (text, values) => {
  if (text === 'alone') return [{ items: String(values[2]), found: 1 }]
  return (values[2] as string[]).map((items, index) => ({ items, found: 1, number: index + 1 })).reverse()
}

function page(position: string, sequence = 1, environmentId = 1): RequestedPage {
  const common = [`horizon ${sequence}`]
  const texts = { text: 'alone', together: 'together' }
  return { environmentId: environmentId as EnvironmentId, ...texts, common, sequence, weight: 'plain', own: [position] }
}

const positions = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)

it('a single page is one statement', async () => {
  const { db, asked } = reader()
  expect(await readTogether(db, page('p'))).toMatchObject({ items: 'p' })
  expect(asked).toEqual([{ text: 'alone', values: [1, 'horizon 1', 'p'] }])
})

it('many pages share statements, and each gets its own answer', async () => {
  const { db, asked } = reader()
  const rows = await Promise.all(positions(100).map((position) => readTogether(db, page(position))))
  expect(rows.map(({ items }) => items)).toEqual(positions(100))
  expect(asked.length).toBeLessThan(20)
  expect(asked.every(({ values }) => (values[2] as string[]).length <= 8)).toBe(true)
})

it('pages of two environments never share a statement', async () => {
  const { db, asked } = reader()
  await Promise.all(positions(60).map((position, index) => readTogether(db, page(position, 1, 1 + (index % 2)))))
  const even = (position: string) => Number(position.slice(1)) % 2
  for (const { values } of asked) {
    expect([values[2]].flat().every((position) => even(position as string) === (values[0] as number) - 1)).toBe(true)
  }
})

it('the latest horizon of the pages is used, in whatever order they come', async () => {
  const { db, asked } = reader()
  await Promise.all(positions(16).map((position, index) => readTogether(db, page(position, 16 - index))))
  for (const { values } of asked) {
    const sequences = (values[2] as string[]).map((position) => 16 - Number(position.slice(1)))
    expect(values[1]).toBe(`horizon ${Math.max(...sequences)}`)
  }
})

it('a page that fails is the only one that fails', async () => {
  const tooMuch = Object.assign(new DatabaseError('canceling statement', 0, 'error'), { code: '57014' })
  const { db } = reader(async (text, values) => {
    if ([values[2]].flat().includes('p3')) throw tooMuch
    return await own(text, values)
  })
  const outcomes = await Promise.allSettled(positions(16).map((position) => readTogether(db, page(position))))
  expect(outcomes.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([3])
})

it('all pages fail at once when the database is unreachable', async () => {
  const gone = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  const { db, asked } = reader(async () => {
    throw gone
  })
  const outcomes = await Promise.allSettled(positions(32).map((position) => readTogether(db, page(position))))
  expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true)
  expect(asked).toHaveLength(4)
})
