import { expect, it } from 'vitest'
import { mostUsed } from './chosen-columns.ts'

const attribute = (name: string, uses: number) => ({ name, type: 'string', uses })

it('shows the four attributes that are sent most, in the order of their names', () => {
  const known = [
    attribute('city', 1),
    attribute('email', 90),
    attribute('locale', 5),
    attribute('name', 90),
    attribute('plan', 80),
    attribute('referrer', 2),
    attribute('seats', 80),
  ]
  expect(mostUsed(known).map(({ name }) => name)).toEqual(['locale', 'plan', 'referrer', 'seats'])
})

it('keeps the order of the names when all are sent equally often', () => {
  const known = ['a', 'b', 'c', 'd', 'e'].map((name) => attribute(name, 3))
  expect(mostUsed(known).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
})
