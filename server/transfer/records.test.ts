import { expect, it } from 'vitest'
import { growthOf } from '../../test/support/growth.ts'
import { csvColumns } from './csv-columns.ts'
import { type Format, readRecords } from './records.ts'

const rules = { kind: 'users', groups: true, planName: 'test', notify: false, now: Date.now } as const

async function read(text: string, format: Format) {
  async function* chunks() {
    yield Buffer.from(text)
  }
  const all = []
  for await (const records of readRecords(chunks(), format, rules)) all.push(...records)
  return all.map((record) => {
    if ('rejection' in record) return record.rejection.reason
    return 'createdAt' in record.entry ? record.entry.createdAt : undefined
  })
}

it('a row of CSV that is longer than a request may be is refused with its line, and the rows after it are read', async () => {
  const wide = `u1,${Array.from({ length: 40 }, () => 'x'.repeat(30_000)).join(',')}`
  const rows = ['id,created_at', wide, 'u2,2024-05-06', ','.repeat(1_100_000)]
  const long = 'is longer than 1 MiB'
  expect(await read(rows.join('\n'), 'csv')).toEqual([long, '2024-05-06T00:00:00.000Z', long])
})

it('a short row takes no longer below a header of many columns', () => {
  const readRows = (columns: number) => {
    const names = Array.from({ length: columns }, (_, index) => `attributes.a${index}`)
    const toBody = csvColumns({ number: 1, cells: ['id', ...names], problem: undefined })
    return () => void Array.from({ length: 500 }, () => toBody({ number: 2, cells: ['u'], problem: undefined }))
  }
  // 400 when each row is compared with each column.
  expect(growthOf(readRows(100), readRows(40_000), 100)).toBeLessThan(100)
})

it('a time of creation is read in any form of a date-time, and one that cannot be read is refused by name', async () => {
  const times = ['2024-05-06T07:08:09.123Z', '2024-05-06T07:08:09+02:00', '2024-05-06', '']
  const expected = ['2024-05-06T07:08:09.123Z', '2024-05-06T05:08:09.000Z', '2024-05-06T00:00:00.000Z', undefined]
  const rows = [...times, '06.05.2024', '2024-02-31'].map((time, n) => `u${n},${time}`)
  const found = await read(`id,created_at\n${rows.join('\n')}\n`, 'csv')
  expect(found.slice(0, 4)).toEqual(expected)
  expect(found.slice(4)).toEqual([expect.stringMatching(/^created_at: /), expect.stringMatching(/^created_at: /)])
  const line = (created_at: unknown) => JSON.stringify({ id: 'u', object: 'user', created_at })
  const lines = await read([line('2024-05-06T07:08:09Z'), line(5), line(null)].join('\n'), 'ndjson')
  expect(lines).toEqual(['2024-05-06T07:08:09.000Z', expect.stringMatching(/^created_at: /), undefined])
})
