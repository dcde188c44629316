import { expect, it, onTestFinished, vi } from 'vitest'
import { cell, exportList } from './export.ts'

it('asks for the next page before it writes the rows of this one, and writes every row once', async () => {
  const steps: string[] = []
  const pages = [1, 2, 3].map((page) => ({
    data: [{ id: `u_${page}`, attributes: { seats: page }, created_at: '2026-01-03T09:30:00.000Z' }],
    next: page < 3 ? `after ${page}` : null,
    looked_at: null,
  }))
  vi.stubGlobal('fetch', async (address: string) => {
    const cursor = new URL(address, 'http://localhost').searchParams.get('cursor') ?? 'start'
    expect(address).toContain('limit=5000')
    steps.push(`ask ${cursor}`)
    return Response.json(pages[cursor === 'start' ? 0 : Number(cursor.slice(-1))])
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  const list = { kind: 'users', environment: 'production', search: {} } as const
  const { csv, rows, isCut } = await exportList(
    list,
    [{ name: 'seats', type: 'number' }],
    ({ done }) => steps.push(`written ${done}`),
    new AbortController().signal,
  )
  expect(steps).toEqual(['ask start', 'ask after 1', 'written 1', 'ask after 2', 'written 2', 'written 3'])
  expect([rows, isCut]).toEqual([3, false])
  expect(csv.slice(1).map((line) => line.split(',')[0])).toEqual(['u_1', 'u_2', 'u_3'])
})

it('writes an attribute that every object has as a property as one that is missing', async () => {
  const row = (id: string, attributes: object) => ({ id, attributes, created_at: '2026-01-03T09:30:00.000Z' })
  const data = [row('u_1', { constructor: 5 }), row('u_2', {})]
  vi.stubGlobal('fetch', async () => Response.json({ data, next: null, looked_at: null }))
  onTestFinished(() => void vi.unstubAllGlobals())
  const { csv } = await exportList(
    { kind: 'users', environment: 'production', search: {} },
    [{ name: 'constructor', type: 'number' }],
    () => {},
    new AbortController().signal,
  )
  expect(csv.map((line) => line.split(',')[3])).toEqual(['attributes.constructor:number', '5', ''])
})

it.each([
  ['plain', 'plain'],
  ['a "b", c', '"a ""b"", c"'],
  ['=cmd()', "'=cmd()"],
  ["'=cmd()", "''=cmd()"],
  ["'quoted'", "'quoted'"],
  [-5, '-5'],
  [undefined, ''],
  [true, 'true'],
])('writes %j as the cell %s', (value, text) => {
  expect(cell(value)).toBe(text)
})
