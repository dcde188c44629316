import { expect, it, onTestFinished, vi } from 'vitest'
import { asyncResources } from '../../test/support/async-resources.ts'
import { ReadinessCheck, type ReadinessSources } from './readiness.ts'

function check(version: number) {
  const database = { query: async () => [{ version }] } as unknown as ReadinessSources['database']
  return new ReadinessCheck({ database, commits: { depth: 0 }, concurrency: { waiting: 0 } })
}

it('reads the disk once, and not for each check', async () => {
  let readiness = check(0)
  const atStart = await asyncResources(async () => {
    readiness = check(1_000_000)
    await readiness.check()
  })
  expect([...atStart]).toContain('FSREQPROMISE')
  const later = performance.now() + 2_000
  vi.spyOn(performance, 'now').mockReturnValue(later)
  onTestFinished(() => void vi.restoreAllMocks())
  const types = await asyncResources(async () => expect((await readiness.check()).ready).toBe(true))
  expect([...types].filter((type) => type.startsWith('FSREQ'))).toEqual([])
})

it('reports the schema version that is needed', async () => {
  const { ready, checks } = await check(0).check()
  expect(ready).toBe(false)
  expect(checks.migrations).toMatch(/^at version 0, \d+ is needed$/)
})
