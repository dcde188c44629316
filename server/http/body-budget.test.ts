import { expect, it } from 'vitest'
import { BodyBudget } from './body-budget.ts'

const exchangeOf = (accountId: number | undefined) => ({ accountId, heldBytes: 0, heldBy: undefined })

it('leaves room for the bodies of another account, and gives back what was held', () => {
  const budget = new BodyBudget(100)
  const bodies = [exchangeOf(1), exchangeOf(1)] as const
  budget.take(bodies[0], 60)
  budget.take(bodies[1], 15)
  expect(() => budget.take(bodies[1], 1)).toThrow('too many bytes')
  expect(() => budget.take(exchangeOf(1), 1)).toThrow('too many bytes')
  budget.take(exchangeOf(2), 25)
  expect(() => budget.take(exchangeOf(3), 1)).toThrow('too many bytes')
  budget.release(bodies[0])
  budget.release(bodies[0])
  budget.take(exchangeOf(1), 60)
})

it('takes a body that is larger than the share, in pieces, when the account holds no other', () => {
  const budget = new BodyBudget(100)
  const large = exchangeOf(1)
  for (let piece = 0; piece < 9; piece += 1) budget.take(large, 10)
  expect(() => budget.take(exchangeOf(1), 1)).toThrow('too many bytes')
  expect(() => budget.take(large, 11)).toThrow('too many bytes')
  budget.take(exchangeOf(2), 10)
})

it('counts the bytes of a page by whom they came from, also when it is recognised later', () => {
  const budget = new BodyBudget(100)
  const page = { ...exchangeOf(undefined), accountId: undefined as number | undefined }
  budget.take(page, 75)
  expect(() => budget.take(exchangeOf(undefined), 1)).toThrow('too many bytes')
  page.accountId = 1
  budget.release(page)
  budget.take(exchangeOf(undefined), 75)
})
