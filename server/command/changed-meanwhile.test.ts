import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { usher, usherJson } from '../../test/support/command.ts'
import { memberOf } from '../../test/support/dashboard.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { countLockWaits } from '../../test/support/lock-waits.ts'
import { createEnvironment } from '../accounts/create.ts'
import { markEnvironmentDeleted } from '../accounts/environment-queries.ts'
import { findFirstAccount, lockAccount } from '../accounts/queries.ts'
import { lockGuidance } from '../content/guidance-queries.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { createLink } from '../members/links.ts'
import { findMemberByEmail, lockMembers, type MemberRow } from '../members/queries.ts'

/** Commands beside a server: they wait for a change that has begun, and then go by what it has written. */

let test: TestDatabase
let settings: { DATABASE_URL: string }

beforeEach(async () => {
  test = await createTestDatabase()
  settings = { DATABASE_URL: test.url }
  await usherJson(['accounts', 'create', 'Acme'], settings)
})
afterEach(() => test.close())

/** The command runs from the moment at which a transaction has its locks until after its commit. */
async function beside<T>(
  change: (transaction: OpenTransaction) => Promise<unknown>,
  run: () => Promise<T>,
): Promise<T> {
  const transaction = await test.database.begin()
  await change(transaction)
  const answer = run()
  await expect
    .poll(() => countLockWaits(test.database))
    .toBe(1)
    .finally(() => transaction.commit())
  return await answer
}

async function accountId(): Promise<number> {
  return (await findFirstAccount(test.database))?.id as number
}

const at = '2026-01-01T00:00:00.000Z'

it('an environment beside the creation of another gets an address of its own', async () => {
  const id = await accountId()
  const create = async (transaction: OpenTransaction) => {
    await lockAccount(transaction, id)
    await createEnvironment(transaction, id, 'Load test', at)
  }
  const created = await beside(create, () => usher(['environments', 'create', 'Load-test'], settings))
  expect(created.code).toBe(0)
  const slugs = await test.database.query<{ slug: string }>('select slug from environments order by id', [])
  expect(slugs.map(({ slug }) => slug)).toEqual(['production', 'staging', 'load-test', 'load-test-2'])
})

it('an account gets no more environments than it may have', async () => {
  const id = await accountId()
  await test.database.query(
    `insert into environments (account_id, name, slug, created_at)
     select $1::int, 'E' || n, 'e-' || n, $2::timestamptz from generate_series(1, 97) as n`,
    [id, at],
  )
  const create = async (transaction: OpenTransaction) => {
    await lockAccount(transaction, id)
    await createEnvironment(transaction, id, 'Last', at)
  }
  expect(await beside(create, () => usher(['environments', 'create', 'One more'], settings))).toMatchObject({
    code: 1,
    stderr: 'An account has at most 100 environments.\n',
  })
})

it('an environment that is being deleted gets no key', async () => {
  const remove = (transaction: OpenTransaction) =>
    transaction.query("update environments set deleted_at = now() where slug = 'staging'", [])
  expect(await beside(remove, () => usher(['keys', 'create', '--environment', 'Staging'], settings))).toMatchObject({
    code: 1,
    stderr: 'Environment Staging not found\n',
  })
  expect(await usherJson(['keys', 'list', '--all'], settings)).toEqual([])
})

it('events are not kept for a shorter time than a segment looks back that is saved meanwhile', async () => {
  const [row] = await test.database.query<{ id: EnvironmentId }>(
    "select id from environments where slug = 'staging'",
    [],
  )
  const { id } = row as { id: EnvironmentId }
  const save = async (transaction: OpenTransaction) => {
    await lockGuidance(transaction, id)
    await transaction.query(
      `insert into segments (environment_id, id, key, name, scope, condition, created_at, updated_at)
       values ($1::int, gen_random_uuid(), 'active', 'Active', 'user', '{"event":"a","within":"60d"}', now(), now())`,
      [id],
    )
  }
  const set = ['environments', 'set', '--environment', 'Staging', '--keep-events', '30d']
  expect(await beside(save, () => usher(set, settings))).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('segment active: condition looks back 60 days'),
  })
  const kept = 'select keep_events_days as days from environments where id = $1::int'
  expect(await test.database.query(kept, [id])).toEqual([{ days: null }])
})

async function newMember(): Promise<MemberRow> {
  const email = 'member@example.com'
  await memberOf({ database: test.database, url: 'http://127.0.0.1' }, 'owner', email)
  return (await findMemberByEmail(test.database, email)) as MemberRow
}

const link = () => usher(['members', 'link', '--email', 'member@example.com'], settings)

it('of two links for a new password that are made at the same time one works', async () => {
  const { id, account_id: accountId, email } = await newMember()
  const make = async (transaction: OpenTransaction) => {
    await lockMembers(transaction, accountId, [id])
    await createLink(transaction, { accountId, kind: 'password', memberId: id, email })
  }
  expect((await beside(make, link)).code).toBe(0)
  expect(await test.database.query('select from member_links where member_id = $1::uuid', [id])).toHaveLength(1)
})

it('a member who is being removed gets no link', async () => {
  const { id } = await newMember()
  const remove = (transaction: OpenTransaction) => transaction.query('delete from members where id = $1::uuid', [id])
  expect(await beside(remove, link)).toMatchObject({ code: 1, stderr: 'Member member@example.com not found\n' })
})

it('an environment that is being deleted gets no lines of an import: nothing would remove them', async () => {
  const [row] = await test.database.query<{ id: EnvironmentId }>(
    "select id from environments where slug = 'staging'",
    [],
  )
  const { id } = row as { id: EnvironmentId }
  const folder = await temporaryFolder()
  const path = join(folder, 'users.jsonl')
  await writeFile(path, '{"id":"u_1"}\n')
  const run = () => usher(['import', 'users', path, '--environment', 'Staging'], settings)
  expect(await beside((transaction) => markEnvironmentDeleted(transaction, id), run)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The environment was deleted meanwhile.'),
  })
  expect(await test.database.query('select id from users', [])).toEqual([])
  await rm(folder, { recursive: true })
})
