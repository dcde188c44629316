import pg from 'pg'
import { expect, it } from 'vitest'
import { types } from './types.ts'

it.each([
  ['2026-01-03 09:30:00.1+00', '2026-01-03T09:30:00.100Z'],
  ['2026-01-03 09:30:00+00', '2026-01-03T09:30:00.000Z'],
  ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ['10000-01-01 23:58:59+00', '+010000-01-01T23:58:59.000Z'],
  ['0001-01-01 00:00:00+00 BC', '0000-01-01T00:00:00.000Z'],
  ['0001-02-29 12:00:00.25+00 BC', '0000-02-29T12:00:00.250Z'],
  ['0002-12-31 00:01:00.5+00 BC', '-000001-12-31T00:01:00.500Z'],
])('a time that PostgreSQL writes as %s is read as %s', (text, iso) => {
  const read = types.getTypeParser(pg.types.builtins.TIMESTAMPTZ, 'text') as (text: string) => string
  expect(read(text)).toBe(iso)
  expect(new Date(iso).toISOString()).toBe(iso)
})
