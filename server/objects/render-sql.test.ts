import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import { sqlOf } from './render-sql.ts'

let test: TestDatabase
beforeAll(async () => {
  // A worker of a sharded PostgreSQL may have any time zone.
  test = await createTestDatabase({ timezone: 'Asia/Kolkata' })
})
afterAll(() => test.close())

it('renders times in UTC whatever the time zone of the session', async () => {
  const environmentId = await createEnvironment(test.database)
  const services = testServices(test.database)
  const job = { kind: 'user', id: 'u', operations: parseOperations({}), groups: [], prune: false } as const
  const before = Date.now()
  const { created_at: answered } = JSON.parse((await services.write(environmentId, job)).json)
  await services.usage.stop()
  const [row] = await test.database.query<{ json: string }>(
    `select ${sqlOf('user', 'u')} as json from users as u where environment_id = $1::int`,
    [environmentId],
  )
  expect(JSON.parse(row?.json as string).created_at).toBe(answered)
  expect(Math.abs(Date.parse(answered) - before)).toBeLessThan(60_000)
})

it('renders an id as JSON.stringify does', async () => {
  const characters = ['"', '\\', "'", '/', 'n', 'u', 'é', '\u2028', '😀', '%', '$1', '@id@']
  const pick = () => characters[Math.floor(Math.random() * characters.length)] as string
  const ids = Array.from({ length: 500 }, () => Array.from({ length: 6 }, pick).join(''))
  const rows = await test.database.query<{ json: string }>(
    `select ${sqlOf('user', 'u')} as json
       from (select id, '{}'::jsonb as attributes, now() as created_at from unnest($1::text[]) as id) as u`,
    [ids],
  )
  expect(rows.map(({ json }) => json.slice(0, json.indexOf(',"object"')))).toEqual(
    ids.map((id) => `{"id":${JSON.stringify(id)}`),
  )
})
