import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDateTime } from '../../contract/datetime.ts'
import { Random } from '../../test/fuzz/random.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { instantSql } from './instant-sql.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

const random = new Random(1)
const among = (...parts: string[]) => random.pick(parts)
const digits = (...usual: string[]) =>
  random.chance(0.9) ? among(...usual) : String(random.below(100)).padStart(2, '0')

/** Most are date-times, and the others nearly so. */
function randomText(): string {
  const year = among('2026', '2024', '1900', '2000', '0000', '0001', '9999', '1969')
  const day = `${year}-${digits('01', '02', '06', '12', '00', '13')}-${digits('01', '28', '29', '30', '31', '00', '32')}`
  const time = `${digits('00', '09', '23', '24')}:${digits('00', '59', '60')}:${digits('00', '59', '60', '61')}`
  const fraction = among('', '', '.5', '.123', '.000', '.999999', '.1234567', ',5', '.')
  const zone = among(
    'Z',
    'Z',
    'z',
    '+00:00',
    '-00:00',
    '+02:00',
    '-14:59',
    '+15:00',
    '+23:59',
    '-24:00',
    '+01:60',
    '+0200',
    '',
  )
  const text = `${day}${among('T', 'T', 'T', 't', ' ')}${time}${fraction}${zone}`
  return random.chance(0.9) ? text : text.replaceAll(/[-:]/g, '')
}

it('says of 5,000 texts what readDateTime says, to the last digit', async () => {
  const texts = Array.from({ length: 5_000 }, randomText)
  const rows = await test.database.query<{ instant: string | null }>(
    `select ${instantSql('text')}::text as instant from unnest($1::text[]) with ordinality as given (text, place) order by place`,
    [texts],
  )
  const wrong = texts.filter((text, index) => !isSame(text, rows[index]?.instant ?? null))
  expect(wrong).toEqual([])
  expect(rows.filter(({ instant }) => instant !== null).length).toBeGreaterThan(100)
})

function isSame(text: string, instant: string | null): boolean {
  const expected = readDateTime(text)
  if (!expected || instant === null) return expected === undefined && instant === null
  return scaled(instant) === BigInt(expected.milliseconds) * SCALE + BigInt(expected.rest.padEnd(DIGITS, '0'))
}

const DIGITS = 12
const SCALE = 10n ** BigInt(DIGITS)

/** A decimal number times `SCALE`. */
function scaled(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'))
}

it('matches a text once, and a plain one not at all', async () => {
  const client = new pg.Client({ connectionString: test.url })
  await client.connect()
  try {
    // In the place of PostgreSQL's own function, and as free for its planner to write down twice.
    await client.query(`create schema counting; create sequence counting.matches;
      create function counting.regexp_match(text, text) returns text[] immutable language plpgsql
        as 'begin perform nextval(''counting.matches''); return pg_catalog.regexp_match($1, $2); end'`)
    await client.query('set search_path = counting, pg_catalog')
    for (const text of ['2026-01-31T09:30:00Z', '2026-01-30T09:30:00Z', '2026-01-30T09:30:00.123456+02:00'])
      await client.query(`select ${instantSql('text')} from unnest($1::text[]) as given (text)`, [[text]])
    const { rows } = await client.query('select last_value::int as matches, is_called from matches')
    expect(rows).toEqual([{ matches: 1, is_called: true }])
  } finally {
    await client.end()
  }
})
