import { expect, it, onTestFinished } from 'vitest'
import { publishTest, tour } from '../../test/support/content.ts'
import { createTestDatabase } from '../../test/support/database.ts'
import { createEnvironment } from '../../test/support/environment.ts'
import { silent } from '../../test/support/log.ts'
import { testServices } from '../../test/support/services.ts'
import { newId } from '../ids.ts'
import { SessionEnder } from './ender.ts'

it('writes nothing into an environment that is being deleted', async () => {
  const { database, close } = await createTestDatabase()
  onTestFinished(close)
  const environmentId = await createEnvironment(database)
  const { id: contentId, versionId } = await publishTest(database, environmentId, tour('left'))
  await database.query(
    `insert into content_sessions (environment_id, id, user_id, content_id, version_id, type, reason, epoch, sequence, state,
                                   created_at, last_activity_at)
     select $1::int, $2::uuid, 'u', $3::uuid, $4::uuid, 'flow', 'auto', 1, 1, 'active', at, at
       from (select now() - interval '31 days' as at) as long_ago`,
    [environmentId, newId(), contentId, versionId],
  )
  const ender = new SessionEnder(testServices(database), silent)
  const eventsAfter = async (deletedAt: string | null) => {
    await database.query('update environments set deleted_at = $2::timestamptz where id = $1::int', [
      environmentId,
      deletedAt,
    ])
    await ender.run()
    const rows = await database.query<{ name: string }>('select name from events where environment_id = $1::int', [
      environmentId,
    ])
    return rows.map(({ name }) => name)
  }
  expect(await eventsAfter('2026-01-02T03:04:05Z')).toEqual([])
  expect(await eventsAfter(null)).toEqual(['flow_ended'])
})

it('a clock of the database that is 40 days ahead of the last look ends no session for having no activity', async () => {
  const { database, close } = await createTestDatabase()
  onTestFinished(close)
  const environmentId = await createEnvironment(database)
  const { id: contentId, versionId } = await publishTest(database, environmentId, tour('inside'))
  await database.query(
    `insert into content_sessions (environment_id, id, user_id, content_id, version_id, type, reason, epoch, sequence, state,
                                   created_at, last_activity_at)
     select $1::int, $2::uuid, 'u', $3::uuid, $4::uuid, 'flow', 'auto', 1, 1, 'active', at, at
       from (select now() - interval '41 days' as at) as yesterday`,
    [environmentId, newId(), contentId, versionId],
  )
  const ender = new SessionEnder(testServices(database), silent)
  const reasonAfterLook = async (daysAgo: number) => {
    await database.query('delete from retention_clock', [])
    await database.query(
      `insert into retention_clock (at, seen_at) select at, at from (select now() - $1::int * interval '1 day' as at) as look`,
      [daysAgo],
    )
    await ender.run()
    const [row] = await database.query<{ end_reason: string | null }>('select end_reason from content_sessions', [])
    return row?.end_reason
  }
  expect(await reasonAfterLook(40)).toBeNull()
  expect(await reasonAfterLook(0)).toBe('expired')
})
