import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import type { EnvironmentId } from '../database/database.ts'
import { newId } from '../ids.ts'
import { countInside, findInside } from './reach-queries.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

type Boundary = 'ends_before' | 'counts_from'

/** A content with this boundary an hour ago. */
async function newContent(environmentId: EnvironmentId, boundary?: Boundary): Promise<string> {
  const id = newId()
  await test.database.query(
    `insert into content (environment_id, id, key, type, name, draft_version_id, published_version_id, published_at, created_at
       ${boundary ? `, ${boundary}` : ''})
     values ($1::int, $2::uuid, 'tour', 'flow', 'Tour', $2::uuid, $2::uuid, now(), now()
       ${boundary ? `, now() - interval '1 hour'` : ''})`,
    [environmentId, id],
  )
  return id
}

/** A session that began so many hours ago and is open, and another user who completed the content then. */
async function addRuns(environmentId: EnvironmentId, contentId: string, hours: number): Promise<void> {
  await test.database.query(
    `insert into content_sessions (environment_id, id, content_id, version_id, type, user_id, state, reason, step, steps, epoch,
       sequence, created_at, last_activity_at)
     values ($1::int, gen_random_uuid(), $2::uuid, $2::uuid, 'flow', 'inside_' || $3::int, 'active', 'auto', 'a', '["a"]', 1, 1,
             now() - make_interval(hours => $3::int), now())`,
    [environmentId, contentId, hours],
  )
  await test.database.query(
    `insert into content_states (environment_id, user_id, content_id, started, first_started_at, last_started_at, completed_at)
     select $1::int, 'done_' || $3::int, $2::uuid, 1, at, at, at from (select now() - make_interval(hours => $3::int) as at) as times`,
    [environmentId, contentId, hours],
  )
}

async function insideOf(boundary?: Boundary) {
  const environmentId = await createEnvironment(test.database)
  const contentId = await newContent(environmentId, boundary)
  await addRuns(environmentId, contentId, 0)
  await addRuns(environmentId, contentId, 3)
  const { oldest, completed } = await findInside(test.database, environmentId, contentId)
  const isOld = oldest !== null && Date.parse(oldest) < Date.now() - 2 * 3_600_000
  return { inside: await countInside(test.database, environmentId, contentId), isOld, completed }
}

it('users are inside from the start of their session on', async () => {
  expect(await insideOf()).toEqual({ inside: 2, isOld: true, completed: 2 })
})

it('nobody is inside of a session that a publication has let end, also before its row says so', async () => {
  expect(await insideOf('ends_before')).toEqual({ inside: 1, isOld: false, completed: 2 })
})

it('who has completed it is not inside, also while the session is open', async () => {
  const environmentId = await createEnvironment(test.database)
  const contentId = await newContent(environmentId)
  await addRuns(environmentId, contentId, 0)
  await addRuns(environmentId, contentId, 3)
  await test.database.query(
    `update content_sessions set state = 'completed', completed_at = now()
      where environment_id = $1::int and content_id = $2::uuid and user_id = 'inside_3'`,
    [environmentId, contentId],
  )
  const { oldest } = await findInside(test.database, environmentId, contentId)
  expect(await countInside(test.database, environmentId, contentId)).toBe(1)
  expect(Date.parse(oldest as string)).toBeGreaterThan(Date.now() - 3_600_000)
})

it('who completed it before everybody was let begin again has not completed it', async () => {
  expect(await insideOf('counts_from')).toMatchObject({ completed: 1 })
})
