import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { silent } from '../../test/support/log.ts'
import type { EnvironmentId } from '../database/database.ts'
import { EVERYTHING } from './interest.ts'
import { type Mark, WatchedContent } from './watched-content.ts'

const environmentId = 7 as EnvironmentId

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

async function watch() {
  const told: string[] = []
  const state: { mark: Mark } = { mark: { revision: '1', isOff: false } }
  const content = new WatchedContent(silent, () => true)
  content.source = {
    marks: async () => new Map([[environmentId, state.mark]]),
    interest: async () => EVERYTHING,
  }
  content.onRevised = () => void told.push('revised')
  content.onOff = () => void told.push('off')
  content.watch(environmentId)
  await vi.advanceTimersByTimeAsync(1_000)
  const change = async (mark: Partial<Mark>, ms: number) => {
    state.mark = { ...state.mark, ...mark }
    await vi.advanceTimersByTimeAsync(ms)
  }
  return { told, change, stop: () => content.stop() }
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
