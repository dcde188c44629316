import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { EnvironmentId } from '../database/database.ts'
import { inScanTurn } from './scan-turns.ts'

const [NOISY, OTHER] = [1, 2] as [EnvironmentId, EnvironmentId]

/** A scan that runs until it is ended. */
function scanOf(database: object, environmentId: EnvironmentId) {
  const ended = Promise.withResolvers<void>()
  const scan = { hasBegun: false, end: ended.resolve, result: Promise.resolve(0) }
  scan.result = inScanTurn(database, environmentId, async () => {
    scan.hasBegun = true
    await ended.promise
    return 1
  })
  return scan
}

it('a few scans run at a time, and one environment leaves a turn for the others', async () => {
  const database = {}
  const noisy = Array.from({ length: 20 }, () => scanOf(database, NOISY))
  const others = [scanOf(database, OTHER), scanOf(database, OTHER)] as const
  const begun = () => noisy.filter(({ hasBegun }) => hasBegun).length
  await turn()
  expect([begun(), others[0].hasBegun, others[1].hasBegun]).toEqual([3, true, false])
  others[0].end()
  expect(await others[0].result).toBe(1)
  await turn()
  expect([begun(), others[1].hasBegun]).toEqual([3, true])
  for (const scan of [...noisy, others[1]]) scan.end()
  expect(await Promise.all(noisy.map(({ result }) => result))).toEqual(noisy.map(() => 1))
})

it('a scan that fails gives its turn back, and another database has turns of its own', async () => {
  const database = {}
  for (let count = 0; count < 10; count += 1) {
    const failed = inScanTurn(database, NOISY, async () => await Promise.reject(new Error('cancelled')))
    await expect(failed).rejects.toThrow('cancelled')
  }
  const all = [database, {}].flatMap((of) => [1, 2, 3].map(() => scanOf(of, NOISY)))
  await turn()
  expect(all.every(({ hasBegun }) => hasBegun)).toBe(true)
  for (const { end } of all) end()
})
