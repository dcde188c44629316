import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Condition } from '../../contract/conditions/condition.ts'
import { publishTest, tour } from '../../test/support/content.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { explained, rowsRead } from '../../test/support/explained.ts'
import type { EnvironmentId } from '../database/database.ts'
import { findUses } from './uses.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

/** Published content with this many earlier versions. The first has an open session, and may name a segment. */
async function withVersions(count: number, who?: Condition): Promise<EnvironmentId> {
  const environmentId = await createEnvironment(test.database)
  const { id } = await publishTest(test.database, environmentId, tour('lasting'))
  await test.database.query(
    `insert into content_versions (environment_id, id, content_id, number, document, revision, edited_at, created_at, published_at)
     select $1::int, gen_random_uuid(), $2::uuid, number, case number when 2 then $3::text else $4::text end, 1, now(), now(), now()
       from generate_series(2, $5::int + 1) as number`,
    [environmentId, id, JSON.stringify(tour('lasting', who && { who })), JSON.stringify(tour('lasting')), count],
  )
  await test.database.query(
    `insert into content_sessions (environment_id, id, user_id, content_id, version_id, type, state, reason, epoch, sequence,
                                   created_at, last_activity_at)
     select $1::int, gen_random_uuid(), 'ada', content_id, id, 'flow', 'active', 'auto', 1, 1, now(), now()
       from content_versions where environment_id = $1::int and number = 2`,
    [environmentId],
  )
  return environmentId
}

it.skipIf(inject('cluster').isDistributed)(
  'what uses segments is found without reading the documents of the versions that name none, however many there are',
  async () => {
    const [none, one] = [await withVersions(2_000), await withVersions(10, { segment: 'staff', is: 'in' })]
    await test.database.pool.query('vacuum analyze content, content_versions, content_sessions')
    expect(await findUses(test.database, none, [])).toEqual(new Map())
    const uses = new Map([['staff', [{ object: 'content', key: 'lasting' }]]])
    expect(await findUses(test.database, one, [])).toEqual(uses)
    for (const environmentId of [none, one]) {
      const plans = await explained(test.database.pool, (db) => findUses(db, environmentId, []))
      expect(Math.max(...plans.map(rowsRead))).toBeLessThan(10)
    }
  },
)
