import { expect, it } from 'vitest'
import { conditionProblems } from '../../contract/conditions/problems.ts'
import { gainedBy, type Who } from './who-changes.ts'

const big: Who = { all: [{ attribute: 'seats', is: 'at_least', value: 5 }] }
const paying: Who = { any: [{ attribute: 'plan', is: 'equals', value: 'growth' }] }

it.each<[Who, Who, Who]>([
  ['nobody', big, big],
  ['nobody', 'everybody', 'everybody'],
  ['everybody', big, 'nobody'],
  [big, 'everybody', { not: big }],
  [big, paying, { all: [paying, { not: big }] }],
  [big, 'nobody', 'nobody'],
])('of %j and then %j those are new: %j', (first, second, expected) => {
  const found = gainedBy(first, second)
  expect(found).toEqual(expected)
  if (typeof found !== 'string') expect(conditionProblems(found, 'who', '')).toEqual([])
})
