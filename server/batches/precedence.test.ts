import { setImmediate as turn } from 'node:timers/promises'
import v8 from 'node:v8'
import vm from 'node:vm'
import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { type BatchPlace, Precedence } from './precedence.ts'

const environmentIds = [1 as EnvironmentId]

it('keeps nothing of finished batches, though there was always one under way', async () => {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  const precedence = new Precedence()
  const all: WeakRef<BatchPlace>[] = []
  const enter = () => {
    const place = precedence.enter(environmentIds)
    all.push(new WeakRef(place))
    return place
  }
  let last = enter()
  for (let count = 0; count < 100; count += 1) {
    const next = enter()
    last.committed()
    last.finish()
    await next.untilNext()
    last = next
  }
  await turn()
  collect()
  expect(all.filter((place) => place.deref() !== undefined).length).toBeLessThan(5)
  expect(last.isNext).toBe(true)
})
