import { expect, it } from 'vitest'
import { filteredPage, MOST_BYTES, plainPage, type Scan } from './scan.ts'

const LARGE = JSON.stringify({ text: 'x'.repeat(250_000) })
const SMALL = '{"n":1}'

/** So many users, one after the other, and the most rows that a statement was asked for. */
function usersOf(count: number, attributesJson: string) {
  const asked: number[] = []
  const scan: Scan = async (cursor, limit) => {
    asked.push(limit)
    const first = Number(cursor ?? 0)
    const rows = Array.from({ length: Math.min(limit, count - first) }, (_, index) => ({
      id: `u_${first + index}`,
      attributesJson,
      created_at: '2026-01-03T09:30:00.000Z',
      cursor: () => String(first + index + 1),
    }))
    const end = first + rows.length
    return { rows, next: end < count ? String(end) : null }
  }
  return { scan, asked }
}

const every = async (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id))

/** The ids of all pages, and the most bytes of one of them. */
async function walk(read: (cursor: string | undefined) => ReturnType<typeof plainPage>) {
  const ids: string[] = []
  let [most, pages] = [0, 0]
  for (let cursor: string | null | undefined; cursor !== null; pages += 1) {
    const page = await read(cursor)
    ids.push(...page.rows.map(({ id }) => id))
    most = Math.max(most, JSON.stringify(page.rows).length)
    cursor = page.next
  }
  return { ids, most, pages }
}

it('a page has as many rows as were asked for', async () => {
  const { scan } = usersOf(1_300, SMALL)
  expect(await walk((cursor) => plainPage(scan, cursor, 500))).toMatchObject({ pages: 3, ids: { length: 1_300 } })
  expect(await walk((cursor) => filteredPage(scan, every, cursor, 500))).toMatchObject({
    pages: 3,
    ids: { length: 1_300 },
  })
})

it('a search that finds nothing in all that it may read is not asked again for the same page', async () => {
  let asked = 0
  const scan: Scan = async () => {
    asked += 1
    return { rows: [], next: 'more' }
  }
  expect(await plainPage(scan, undefined, 500)).toMatchObject({ rows: [], next: 'more' })
  expect(asked).toBe(1)
})

it('a page of small users takes few statements, and none of large ones asks for many', async () => {
  const small = usersOf(5_000, SMALL)
  expect((await plainPage(small.scan, undefined, 5_000)).rows).toHaveLength(5_000)
  expect(small.asked.length).toBeLessThanOrEqual(6)
  const large = usersOf(150, LARGE)
  for (const page of [
    plainPage,
    (...[scan, ...rest]: Parameters<typeof plainPage>) => filteredPage(scan, every, ...rest),
  ]) {
    const { ids, most } = await walk((cursor) => page(large.scan, cursor, 500))
    expect([ids.length, new Set(ids).size]).toEqual([150, 150])
    expect(most).toBeLessThan(3 * MOST_BYTES)
  }
  expect(Math.max(...large.asked)).toBeLessThanOrEqual(32)
})

it('a filter that finds nothing among large users ends its page before it has read all of them', async () => {
  const { scan } = usersOf(1_000, LARGE)
  const page = await filteredPage(scan, async () => new Set(), undefined, 50)
  expect(page).toMatchObject({ rows: [], is_bounded: true })
  expect(page.looked_at).toBeLessThan(400)
})
