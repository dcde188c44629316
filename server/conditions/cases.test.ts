import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AttributeValue } from '../../contract/attributes.ts'
import type { Comparison } from '../../contract/conditions/condition.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { valueSql } from './attribute-sql.ts'
import { compareBy } from './compare.ts'
import { Parameters } from './parameters.ts'
import { readAttribute } from './read-value.ts'
import { valueTest } from './value-test.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(async () => await test.close())

const NOW = Date.parse('2026-06-01T00:00:00Z')
type Value = AttributeValue | undefined

/** What each operator means: the values that fit, and those that do not. Undefined is a missing attribute. */
const cases: [Comparison, fitting: Value[], others: Value[]][] = [
  [{ is: 'equals', value: 'a' }, ['a'], ['A', 'ab', '', 5, true, undefined]],
  [
    { is: 'equals', value: 'GRÖSSE', ignore_case: true },
    ['GRÖSSE', 'grösse', 'Grösse'],
    ['größe', 'grosse', undefined],
  ],
  [{ is: 'equals', value: 5 }, [5, 5.0], ['5', 5.1, undefined]],
  [{ is: 'equals', value: '5' }, ['5'], [5, '5.0', true, undefined]],
  [{ is: 'equals', value: '-0.0000001' }, ['-0.0000001'], [-1e-7, undefined]],
  [{ is: 'equals', value: 'true' }, ['true'], [true, 'TRUE', undefined]],
  [{ is: 'not_equals', value: 'false' }, [false, 0, undefined], ['false']],
  [{ is: 'one_of', values: ['a', 'b'] }, ['a', 'b'], ['A', 'ab', '', 5, true, undefined]],
  [{ is: 'not_equals', value: 5 }, [6, '5', true, undefined], [5]],
  [{ is: 'not_equals', value: 'a' }, ['A', 5, undefined], ['a']],
  [{ is: 'contains', value: 'ro' }, ['growth', 'ro'], ['Rock', 5, undefined]],
  [{ is: 'contains', value: 'Σ', ignore_case: true }, ['σίσυφος', 'ΣΊΣ'], ['s', undefined]],
  [{ is: 'not_contains', value: 'ro' }, ['Rock', 5, undefined], ['growth']],
  [{ is: 'starts_with', value: 'gr' }, ['growth', 'gr'], ['Growth', 'agr', undefined]],
  [{ is: 'ends_with', value: 'th' }, ['growth', 'th'], ['growTH', 'tha', 't', undefined]],
  [{ is: 'one_of', values: ['a', '5'] }, ['a', '5'], [5, 'b', undefined]],
  [{ is: 'none_of', values: ['a', '5'] }, [5, 'b', undefined], ['a', '5']],
  [{ is: 'less', value: 5 }, [4.9, -1e21], [5, 6, '4', undefined]],
  [{ is: 'at_most', value: 5 }, [5, 4], [5.1, '5', undefined]],
  [{ is: 'more', value: 0.1 }, [0.2, 1e21], [0.1, '5', undefined]],
  [{ is: 'at_least', value: 5 }, [5, 6], [4.9, '6', true, undefined]],
  [{ is: 'between', values: [1, 5] }, [1, 3, 5], [0.9, 5.1, '3', undefined]],
  [{ is: 'true' }, [true], [false, 'true', 1, undefined]],
  [{ is: 'false' }, [false], [true, 'false', 0, undefined]],
  [
    { is: 'before', value: '2026-06-01T00:00:00Z' },
    ['2026-05-31T23:59:59.9999Z', '2026-06-01T01:59:59+02:00', '2026-05-31', '0000-01-01', '2026-05-31t23:59:59z'],
    ['2026-06-01', '2026-06-01T00:00:00.0001Z', '2026-06-01t00:00:00z', '2026-05-32', 'soon', 5, undefined],
  ],
  [
    { is: 'after', value: '2016-12-31T23:59:59Z' },
    ['2016-12-31T23:59:60Z'],
    ['2016-12-31T23:59:59Z', '9999-12-31T24:00:00Z'],
  ],
  [
    { is: 'less_than_ago', value: '7d' },
    ['2026-06-01T00:00:00Z', '2026-05-25T00:00:00.001Z'],
    ['2026-05-25T00:00:00Z', '2026-06-01T00:00:00.001Z', undefined],
  ],
  [{ is: 'more_than_ago', value: '7d' }, ['2026-05-24T23:59:59.999Z'], ['2026-05-25T00:00:00Z', undefined]],
  [
    { is: 'within_next', value: '7d' },
    ['2026-06-08T00:00:00Z', '2026-06-01T00:00:00.001Z'],
    ['2026-06-01T00:00:00Z', '2026-06-08T00:00:00.001Z', undefined],
  ],
  [{ is: 'more_than_ahead', value: '7d' }, ['2026-06-08T00:00:00.001Z'], ['2026-06-08T00:00:00Z', undefined]],
  [{ is: 'exists' }, ['', 0, false], [undefined]],
  [{ is: 'missing' }, [undefined], ['', 0, false]],
]

it.each(cases)('%j means the same in memory and in SQL', async (comparison, fitting, others) => {
  const values = [...fitting, ...others]
  const expected = values.map((_, index) => index < fitting.length)
  const compare = compareBy(comparison)
  expect(values.map((value) => compare(value, NOW))).toEqual(expected)
  const parameters = new Parameters()
  const given = parameters.add(JSON.stringify(values.map((value) => (value === undefined ? {} : { value }))), 'jsonb')
  const rows = await test.database.queryUnprepared<{ holds: boolean }>(
    `select ${valueSql(valueTest(comparison), readAttribute('attributes', "'value'"), parameters, NOW)} as holds
       from jsonb_array_elements(${given}) with ordinality as listed (attributes, place)
      where $1::int is not null order by place`,
    [1, ...parameters.values],
  )
  expect(rows.map(({ holds }) => holds)).toEqual(expected)
})
