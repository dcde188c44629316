import { afterEach, beforeEach, expect, it } from 'vitest'
import { runDrill } from '../../drill/drill.ts'
import { type Backend, ownPostgres } from '../../drill/postgres.ts'

const seed = Date.now() % 1_000_000

let backend: Backend
beforeEach(async () => {
  backend = await ownPostgres()
})
afterEach(() => backend.stop())

it.each([
  ['with keys: every addition is counted and every event stored exactly once', true],
  ['without keys: nothing that was acknowledged is lost', false],
])(`60 kills of nodes and PostgreSQL, %s (seed ${seed})`, async (_, withKeys) => {
  const drill = { backend, kinds: ['node', 'postgres'], count: 60, seconds: 0, withKeys, seed, report: console.log }
  const { problems, kills } = await runDrill(drill)
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThanOrEqual(60)
})
