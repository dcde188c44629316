import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { usher } from '../../test/support/command.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { appliedVersion } from '../database/migrate.ts'
import { openSession } from '../database/session.ts'
import { describePlan, refuseEmpty } from './shard.ts'

/** What `usher shard` says where there is no cluster. `test/cluster.test.ts` has the rest. */

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const lines = (text: string) => text.trim().split('\n')

it('is refused with one line without DATABASE_URL', async () => {
  const { code, stderr } = await usher(['shard', '--dry-run'], {})
  expect(code).toBe(1)
  expect(lines(stderr)).toEqual([expect.stringContaining('set DATABASE_URL to the coordinator of a Citus cluster')])
})

it.skipIf(inject('cluster').isDistributed)('is refused with one line on a PostgreSQL without Citus', async () => {
  const { code, stderr } = await usher(['shard'], { DATABASE_URL: test.url })
  expect(code).toBe(1)
  expect(lines(stderr)).toEqual([expect.stringContaining('create extension citus')])
})

it('a dry run on an empty database is refused, and makes no tables', async () => {
  const empty = await createEmptyDatabase()
  const client = await openSession({ connectionString: empty.url })
  await expect(refuseEmpty(client)).rejects.toThrow('nothing to plan')
  expect(await appliedVersion(client)).toBe(0)
  await client.end()
  await empty.close()
})

it.each(['0', '10000'])('refuses --shards %j', async (shards) => {
  const { code, stderr } = await usher(['shard', `--shards=${shards}`], { DATABASE_URL: test.url })
  expect(code).toBe(2)
  expect(stderr).toContain('--shards')
})

it('says what would be moved, and for how long writes would wait: longer for more', () => {
  const seconds = (bytes: number) => describePlan([{ name: 'events', bytes }]).json.seconds
  expect(describePlan([{ name: 'events', bytes: 2_500_000 }]).text).toMatch(
    /^events +2\.5 MB\n\n.* takes about 1 s\. No server may run during that time\.$/,
  )
  expect(seconds(0)).toBeGreaterThan(0)
  expect(seconds(10e9)).toBeGreaterThan(seconds(1e9) * 5)
  expect(describePlan([])).toEqual({ text: expect.stringContaining('nothing to do'), json: { tables: [], seconds: 0 } })
})
