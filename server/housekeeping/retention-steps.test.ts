import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { deleteInSteps } from './retention-steps.ts'

it('an environment with much to delete does not hold up the others', async () => {
  const [busy, other] = [1, 2] as EnvironmentId[] as [EnvironmentId, EnvironmentId]
  const left = new Map([
    [busy, 20],
    [other, 2],
  ])
  const done: EnvironmentId[] = []
  const kept = [...left.keys()].map((id) => ({ id, days: 1 }))
  const deleted = await deleteInSteps(kept, { now: Date.now(), roundMs: 60_000 }, (id) => async () => {
    done.push(id)
    left.set(id, (left.get(id) as number) - 1)
    return { count: 1, isMore: left.get(id) !== 0 }
  })
  expect(deleted).toBe(22)
  expect(done.slice(0, 4).toSorted()).toEqual([busy, busy, other, other])
})
