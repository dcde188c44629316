import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { publishTest } from '../../test/support/content.ts'
import { countLockWaits } from '../../test/support/lock-waits.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { findRuns } from './queries.ts'
import { BEGAN } from './run-sql.ts'
import { sumRuns } from './sum.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  // Its sums are by the clock, and would take back those that are ahead.
  await server.services.housekeeping.stop()
})
afterAll(() => server.close())

it('a task that is completed during the first sum of an environment, after the sum has read its run, counts', async () => {
  const { client, database, environmentId } = server
  const tasks = ['first', 'late'].map((key) => ({ key, name: key }))
  const content = { key: 'list', type: 'checklist', name: 'List', tasks }
  const { id: contentId } = await publishTest(database, environmentId, content as never)
  await client.post('/users', { id: 'ada' })
  const { body: claim } = await client.post('/content_sessions', { content: 'list', user_id: 'ada', holder: 'h' })
  const report = (reports: object[]) => client.post(`/content_sessions/${claim.id}/progress`, { holder: 'h', reports })
  await report([
    { sequence: 1, type: 'shown' },
    { sequence: 2, type: 'task_completed', task: 'first' },
    { sequence: 3, type: 'completed' },
  ])
  const waits = (count: number) => expect.poll(() => countLockWaits(database)).toBe(count)
  const written = await inTransaction(database, async (db) => {
    // The sum has read the run when it waits for this row.
    await db.query(
      `insert into content_days (environment_id, content_id, version_id, day, step, reason, bucket, runs)
       select environment_id, content_id, version_id, ${BEGAN}, 'first', 'seen', 0, 0
         from content_sessions as session where environment_id = $1::int and id = $2::uuid`,
      [environmentId, claim.id],
    )
    const summed = sumRuns(database, Date.now() + 3_600_000)
    await waits(1)
    const late = report([{ sequence: 4, type: 'task_completed', task: 'late' }])
    await waits(2)
    return { summed, late }
  })
  await written.summed
  expect((await written.late).status).toBe(200)
  const runs = await findRuns(database, environmentId, contentId)
  expect(runs.map(({ step, reason, runs }) => `${step} ${reason} ${runs}`).toSorted()).toEqual([
    ' completed 1',
    'first seen 1',
    'late seen 1',
  ])
})
