import { afterEach, beforeEach, expect, it } from 'vitest'
import { runDrill } from '../drill/drill.ts'
import { type Backend, ownPostgres } from '../drill/postgres.ts'

const seed = Date.now() % 1_000_000

let backend: Backend
beforeEach(async () => {
  backend = await ownPostgres()
})
afterEach(() => backend.stop())

it(`counts every addition and stores every event exactly once for clients that retry with a key, while two nodes and PostgreSQL are killed (seed ${seed})`, async () => {
  const kinds = ['node', 'postgres']
  // One kill of each. `npm run test:long` has 60.
  const drill = { backend, kinds, count: 2, seconds: 0, withKeys: true, pauseMs: 250, seed, report: () => {} }
  const { problems, answers } = await runDrill(drill)
  expect(problems).toEqual([])
  expect(answers.retries).toBeGreaterThan(0)
  expect([answers.events.size, answers.added.size, answers.refused.size, answers.flows.sessions.size]).not.toContain(0)
})
