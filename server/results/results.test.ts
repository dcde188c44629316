import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId } from '../database/database.ts'
import { newId } from '../ids.ts'
import { figuresOf, leftOf } from './figures.ts'
import { findFigures, findRuns } from './queries.ts'
import { sumRuns } from './sum.ts'

let test: TestDatabase
let environmentId: EnvironmentId
const content = newId()
const version = newId()
beforeAll(async () => {
  test = await createTestDatabase()
  environmentId = await createEnvironment(test.database)
  await test.database.query('insert into guidance (environment_id) values ($1::int)', [environmentId])
})
afterAll(() => test.close())

/** Runs that ended so many minutes ago, or are open. */
async function addRuns(runs: number, run: { step: string; steps: string[]; ended?: number; isCompleted?: boolean }) {
  const { step, steps, ended = null, isCompleted = false } = run
  await test.database.query(
    `insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, step, steps,
       epoch, sequence, created_at, last_activity_at, completed_at, ended_at, end_reason)
     select $1::int, gen_random_uuid(), $2::uuid, $3::uuid, 'flow', 'u_' || number, 'active', 'auto', $4::text, $5::jsonb, 1, 1,
            at - interval '1 minute', at, case when $7::boolean then at end,
            case when not $7::boolean and $6::int is not null then at end,
            case when not $7::boolean and $6::int is not null then 'close_button' end
       from generate_series(1, $8::int) as number, (select now() - make_interval(mins => coalesce($6::int, 30)) as at) as times`,
    [environmentId, content, version, step, JSON.stringify(steps), ended, isCompleted, runs],
  )
}

it('results are the same before and after runs are summed, and no run is summed twice', async () => {
  await addRuns(40, { step: 'b', steps: ['a', 'b'], ended: 120, isCompleted: true })
  await addRuns(30, { step: 'a', steps: ['a'], ended: 60 })
  await addRuns(5, { step: 'b', steps: ['a', 'b'], ended: 1 })
  await addRuns(7, { step: 'a', steps: ['a'] })
  const read = async () => {
    const sums = await findRuns(test.database, environmentId, content)
    const seen = (step: string) =>
      sums.filter((sum) => sum.reason === 'seen' && sum.step === step).reduce((all, { runs }) => all + runs, 0)
    return { ...figuresOf(sums), left: leftOf(sums, 'a'), a: seen('a'), b: seen('b') }
  }
  const before = await read()
  expect(before).toMatchObject({ seen: 82, completed: 40, open: 7, a: 82, b: 45 })
  expect(before.left).toEqual([{ reason: 'close_button', runs: 30 }])
  expect(before.median_seconds).toBeGreaterThan(50)
  expect(before.median_seconds).toBeLessThan(72)
  const [list] = await findFigures(test.database, environmentId)
  await Promise.all([sumRuns(test.database), sumRuns(test.database)])
  expect(await read()).toEqual(before)
  expect((await findFigures(test.database, environmentId))[0]).toEqual(list)
  expect(await sumRuns(test.database)).toBe(0)
  const rows = await test.database.query<{ runs: number }>(
    `select sum(runs)::int as runs from content_days where environment_id = $1::int and reason <> 'seen'`,
    [environmentId],
  )
  expect(rows[0]?.runs).toBe(70)
})
