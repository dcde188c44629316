import { expect, it } from 'vitest'
import { AnswerBudget } from './answer-budget.ts'

const exchangeOf = (environmentId: number | undefined, accountId = environmentId) => ({
  environmentId,
  accountId,
  heldAnswerBytes: 0,
})

it('leaves room for another environment, holds no more than all the room, and gives back what was held', () => {
  const budget = new AnswerBudget(100)
  const first = exchangeOf(1)
  budget.take(first, 40, true)
  expect(() => budget.take(exchangeOf(1), 11, true)).toThrow('Too many long answers')
  budget.take(exchangeOf(1), 10, true)
  expect(() => budget.take(exchangeOf(2), 60, true)).toThrow('Too many long answers')
  budget.take(exchangeOf(2), 50, true)
  expect(() => budget.take(exchangeOf(3), 1, true)).toThrow('Too many long answers')
  budget.release(first)
  budget.release(first)
  budget.take(exchangeOf(3), 40, true)
  expect(() => budget.take(exchangeOf(1), 1, true)).toThrow('Too many long answers')
})

it('refuses no answer to a write', () => {
  const budget = new AnswerBudget(100)
  const writes = [exchangeOf(1), exchangeOf(1)]
  for (const exchange of writes) budget.take(exchange, 90, false)
  expect(() => budget.take(exchangeOf(1), 1, true)).toThrow('Too many long answers')
  for (const exchange of writes) budget.release(exchange)
  budget.take(exchangeOf(1), 50, true)
})

it('sends an answer that is larger than all the room when nothing else is held', () => {
  const budget = new AnswerBudget(100)
  budget.take(exchangeOf(1), 200, true)
  expect(() => budget.take(exchangeOf(2), 1, true)).toThrow('Too many long answers')
})

it('leaves room for another account, however many environments one has, and also of members of the dashboard', () => {
  const budget = new AnswerBudget(100)
  const own = [exchangeOf(1, 7), exchangeOf(2, 7)]
  budget.take(own[0] as (typeof own)[0], 50, true)
  expect(() => budget.take(own[1] as (typeof own)[0], 50, true)).toThrow('Too many long answers')
  budget.take(own[1] as (typeof own)[0], 25, true)
  expect(() => budget.take(exchangeOf(undefined, 7), 1, true)).toThrow('Too many long answers')
  budget.take(exchangeOf(undefined, 8), 25, true)
  for (const exchange of own) budget.release(exchange)
  budget.take(exchangeOf(undefined, 9), 75, true)
})
