import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId } from '../database/database.ts'
import { EVERYTHING } from './interest.ts'
import { type Mark, WatchedContent } from './watched-content.ts'

const environmentId = 7 as EnvironmentId
const other = 8 as EnvironmentId

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function watch() {
  const told: string[] = []
  const state: { mark: Mark; isDown: boolean } = { mark: { revision: '1', isOff: false }, isDown: false }
  const content = new WatchedContent(silent, () => true)
  content.source = {
    marks: async () => new Map([[environmentId, state.mark]]),
    interest: async () => {
      if (state.isDown) throw new Error('the database is down')
      return { ...EVERYTHING, hasGroups: state.mark.revision !== '1' }
    },
  }
  content.onRevised = () => void told.push('revised')
  content.onOff = () => void told.push('off')
  content.watch(environmentId)
  await vi.advanceTimersByTimeAsync(1_000)
  const change = async (mark: Partial<Mark>, ms: number) => {
    state.mark = { ...state.mark, ...mark }
    await vi.advanceTimersByTimeAsync(ms)
  }
  const isDown = (value: boolean) => {
    state.isDown = value
  }
  return { told, change, isDown, interest: () => content.interestOf(environmentId), stop: () => content.stop() }
}

it('a switch that is turned off is told within a second, also right after a publication, which is told every ten seconds', async () => {
  const { told, change, stop } = await watch()
  await change({ revision: '2' }, 1_000)
  expect(told).toEqual(['revised'])
  await change({ revision: '3' }, 1_000)
  expect(told).toEqual(['revised'])
  await change({ revision: '4', isOff: true }, 500)
  expect(told).toEqual(['revised', 'off'])
  // The pages decide again by that already.
  await change({}, 20_000)
  expect(told).toEqual(['revised', 'off'])
  await change({ revision: '5', isOff: false }, 1_000)
  expect(told).toEqual(['revised', 'off', 'revised'])
  stop()
})

it('a publication whose conditions could not be read is read and told by a later poll', async () => {
  const { told, change, isDown, interest, stop } = await watch()
  isDown(true)
  await change({ revision: '2' }, 2_000)
  expect(told).toEqual([])
  isDown(false)
  await change({}, 1_000)
  expect(told).toEqual(['revised'])
  expect(interest().hasGroups).toBe(true)
  stop()
})

it('a switch that is turned off while the conditions cannot be read is told at once, and the pages decide when they can', async () => {
  const { told, change, isDown, stop } = await watch()
  isDown(true)
  await change({ revision: '2', isOff: true }, 2_000)
  expect(told).toEqual(['off'])
  isDown(false)
  await change({}, 20_000)
  expect(told).toEqual(['off', 'revised'])
  stop()
})

it('an environment that is watched while the others are read is no publication', async () => {
  const told: EnvironmentId[] = []
  const content = new WatchedContent(silent, () => true)
  content.source = {
    marks: async (ids) => {
      content.watch(other)
      return new Map(ids.map((id) => [id, { revision: '1', isOff: false }]))
    },
    interest: async () => EVERYTHING,
  }
  content.onRevised = (id) => void told.push(id)
  content.watch(environmentId)
  await vi.advanceTimersByTimeAsync(5_000)
  content.stop()
  expect(told).toEqual([])
})

/** Two environments. After its first publication, the conditions of one are read in this way. */
async function watchTwo(interestOfOne: () => Promise<never>) {
  const told: string[] = []
  const marks = new Map([environmentId, other].map((id) => [id, { revision: '1', isOff: false }]))
  const content = new WatchedContent(silent, () => true)
  content.source = {
    marks: async () => new Map(marks),
    interest: async (id) =>
      id === environmentId && marks.get(id)?.revision !== '1' ? await interestOfOne() : EVERYTHING,
  }
  content.onRevised = (id) => void told.push(`revised ${id}`)
  content.onOff = (id) => void told.push(`off ${id}`)
  for (const id of marks.keys()) content.watch(id)
  await vi.advanceTimersByTimeAsync(1_000)
  return { told, marks, stop: () => content.stop() }
}

it('an environment that cannot be read keeps no other from hearing of a publication and of the switch', async () => {
  const { told, marks, stop } = await watchTwo(() => Promise.reject(new Error('this one fails')))
  for (const id of marks.keys()) marks.set(id, { revision: '2', isOff: false })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toEqual(['revised 8'])
  marks.set(other, { revision: '3', isOff: true })
  await vi.advanceTimersByTimeAsync(500)
  expect(told).toEqual(['revised 8', 'off 8'])
  stop()
})

it('an environment whose conditions are not answered keeps no other from hearing of the switch', async () => {
  const { told, marks, stop } = await watchTwo(() => new Promise(() => {}))
  marks.set(environmentId, { revision: '2', isOff: false })
  await vi.advanceTimersByTimeAsync(1_000)
  marks.set(other, { revision: '1', isOff: true })
  marks.set(environmentId, { revision: '2', isOff: true })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(told.toSorted()).toEqual(['off 7', 'off 8'])
  stop()
})

it('an environment whose worker of a cluster does not answer has no publication, until it is heard of again', async () => {
  const told: EnvironmentId[] = []
  let marks = new Map<EnvironmentId, Mark>([[environmentId, { revision: '1', isOff: false }]])
  const content = new WatchedContent(silent, () => true)
  content.source = { marks: async () => marks, interest: async () => EVERYTHING }
  content.onRevised = (id) => void told.push(id)
  content.watch(environmentId)
  await vi.advanceTimersByTimeAsync(1_000)
  marks = new Map()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(told).toEqual([])
  marks = new Map([[environmentId, { revision: '2', isOff: false }]])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toEqual([environmentId])
  content.stop()
})
