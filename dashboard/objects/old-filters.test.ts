import { expect, it } from 'vitest'
import { conditionProblems } from '../../contract/conditions/problems.ts'
import { conditionOfFilters } from './old-filters.ts'

it.each([
  ['plan:eq:growth', { attribute: 'plan', is: 'equals', value: 'growth' }],
  ['seats:eq:5', { attribute: 'seats', is: 'equals', value: 5 }],
  ['two_factor:eq:true', { attribute: 'two_factor', is: 'true' }],
  ['two_factor:ne:true', { not: { attribute: 'two_factor', is: 'true' } }],
  ['name:contains:a:b', { attribute: 'name', is: 'contains', value: 'a:b', ignore_case: true }],
  ['seats:gte:5', { attribute: 'seats', is: 'at_least', value: 5 }],
  ['at:gt:2026-01-31T00:00:00Z', { attribute: 'at', is: 'after', value: '2026-01-31T00:00:00Z' }],
  ['at:within:7d', { attribute: 'at', is: 'less_than_ago', value: '7d' }],
  ['plan:missing', { attribute: 'plan', is: 'missing' }],
])('the address of before with %s selects the same', (filter, line) => {
  expect(conditionOfFilters([filter], 'user')).toEqual({ all: [line] })
  expect(conditionProblems({ all: [line] } as never, 'who', '')).toEqual([])
})

it('is about groups on their page, and leaves out what is broken', () => {
  expect(conditionOfFilters(['plan:exists:', 'plan', 'plan:is:x'], 'group')).toEqual({
    all: [{ attribute: 'plan', of: 'group', is: 'exists' }],
  })
  expect(conditionOfFilters(['plan:valueOf:x'], 'user')).toBeUndefined()
})
