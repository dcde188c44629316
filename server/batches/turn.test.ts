import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { CommitOrder } from './order.ts'
import { Precedence } from './precedence.ts'
import { BatchTurn } from './turn.ts'

const newTurn = () => new BatchTurn(new CommitOrder(), [1 as EnvironmentId], new Precedence().enter([]))

it('work that enters twice in one try gets different ids', async () => {
  const turn = newTurn()
  turn.beginTry()
  const ids = [(await turn.enter(true)).newId(), (await turn.enter(true)).newId()]
  expect(new Set(ids).size).toBe(2)
})

it('a batch that is sent again unchanged gets the same ids, and after a rollback new ones', async () => {
  const turn = newTurn()
  const tryOnce = async () => {
    turn.beginTry()
    const stamp = await turn.enter(true)
    return [stamp.newId(), stamp.newId()]
  }
  const first = await tryOnce()
  expect(await tryOnce()).toEqual(first)
  await turn.leave()
  const afterRollback = await tryOnce()
  expect(new Set([...first, ...afterRollback]).size).toBe(4)
})
