import { afterEach, beforeEach, expect, it } from 'vitest'
import { usher, usherJson } from '../../test/support/command.ts'
import { publishTest, tour } from '../../test/support/content.ts'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { hashKey } from '../accounts/keys.ts'
import { findGrants, findRevision } from '../accounts/queries.ts'
import type { EnvironmentId } from '../database/database.ts'

let test: TestDatabase
let settings: { DATABASE_URL: string }

beforeEach(async () => {
  test = await createTestDatabase()
  settings = { DATABASE_URL: test.url }
})
afterEach(() => test.close())

async function plansOpenedBy(key: string): Promise<string[]> {
  const found = await findGrants(test.database, [hashKey(key)])
  return found.filter(({ is_revoked }) => !is_revoked).map(({ plan }) => plan)
}

it('an account can be created, given a key, and moved to another plan; each change raises the revision and is in the audit log', async () => {
  const revisions = [await findRevision(test.database)]
  const created = await usherJson(['accounts', 'create', 'Acme', '--plan', 'starter'], settings)
  expect(created).toMatchObject({
    name: 'Acme',
    plan: 'starter',
    environments: [{ name: 'Production' }, { name: 'Staging' }],
  })
  revisions.push(await findRevision(test.database))
  const { stdout } = await usher(['keys', 'create', '--environment', 'Production'], settings)
  expect(await plansOpenedBy(stdout.trim())).toEqual(['starter'])
  revisions.push(await findRevision(test.database))
  await usherJson(['accounts', 'set-plan', 'Acme', 'scale'], settings)
  expect(await plansOpenedBy(stdout.trim())).toEqual(['scale'])
  revisions.push(await findRevision(test.database))
  await usherJson(['keys', 'revoke', '1'], settings)
  expect(await plansOpenedBy(stdout.trim())).toEqual([])
  revisions.push(await findRevision(test.database))
  expect(new Set(revisions).size).toBe(5)
  const recorded = await test.database.query('select action from audit_entries order by id', [])
  expect(recorded.map(({ action }) => action)).toEqual([
    'account.created',
    'key.created',
    'account.plan_changed',
    'key.revoked',
  ])
})

it('asks for the account only when the name of the environment is ambiguous', async () => {
  expect(await usher(['keys', 'create', '--environment', 'Production'], settings)).toMatchObject({
    code: 1,
    stderr: 'There is no environment yet: npm start makes the first ones.\n',
  })
  await usherJson(['accounts', 'create', 'Acme'], settings)
  await usherJson(['accounts', 'create', 'Bolt'], settings)
  await usherJson(['environments', 'create', 'Canary', '--account', 'Bolt'], settings)
  expect(await usher(['keys', 'create', '--environment', 'Staging'], settings)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Several accounts have an environment Staging: say which with --account (Acme, Bolt).\n',
  })
  expect(await usherJson(['keys', 'create', '--environment', 'Staging', '--account', 'Bolt'], settings)).toMatchObject({
    account: 'Bolt',
    environment: 'Staging',
  })
  expect(await usherJson(['keys', 'create', '--environment', 'Canary'], settings)).toMatchObject({ account: 'Bolt' })
  expect((await usher(['keys', 'create', '--environment', 'Nowhere'], settings)).stderr).toBe(
    'There is no environment Nowhere; there are: Production, Staging, Canary.\n',
  )
  expect((await usher(['keys', 'create', '--environment', 'demo'], settings)).stderr).toMatch(
    / Canary\. Open \/demo of the server in a browser: the page makes it\.\n$/,
  )
  await usherJson(['environments', 'create', 'Demo', '--account', 'Bolt'], settings)
  expect((await usher(['keys', 'create', '--environment', 'demo'], settings)).stderr).toMatch(/ Canary, Demo\.\n$/)
})

it('says in one line that a name is taken or unknown, and changes nothing', async () => {
  await usherJson(['accounts', 'create', 'Acme'], settings)
  const refusals = await Promise.all([
    usher(['accounts', 'create', 'Acme'], settings),
    usher(['environments', 'create', 'Production'], settings),
    usher(['accounts', 'set-plan', 'Nobody', 'scale'], settings),
    usher(['keys', 'revoke', '7'], settings),
    usher(['keys', 'list', '--environment', 'Nowhere'], settings),
    usher(['webhooks', 'list', '--account', 'Nobody'], settings),
    usher(['environments', 'set', '--keep-events', '30d', '--account', 'Nobody'], settings),
  ])
  expect(refusals.map(({ code, stderr }) => [code, stderr])).toEqual([
    [1, 'There is an account Acme already.\n'],
    [1, 'Account Acme has an environment Production already.\n'],
    [1, 'There is no account Nobody; there are: Acme.\n'],
    [1, 'There is no key 7. See: npx usher keys list --all\n'],
    [1, 'There is no environment Nowhere; there are: Production, Staging.\n'],
    [1, 'There is no account Nobody with environments.\n'],
    [1, 'There is no account Nobody with environments.\n'],
  ])
  expect(await usherJson(['accounts', 'list'], settings)).toHaveLength(1)
})

it('lists for people in columns, and shows a key by its ends alone', async () => {
  await usherJson(['accounts', 'create', 'Acme'], settings)
  const { key } = await usherJson<{ key: string }>(['keys', 'create', '--environment', 'Production'], settings)
  const { stdout } = await usher(['keys', 'list'], settings)
  expect(stdout).not.toContain(key)
  const [heading, row] = stdout.split('\n') as [string, string]
  expect(heading).toMatch(/^ID {2}KEY +ACCOUNT {2}ENVIRONMENT {2}CREATED$/)
  expect(row.indexOf('Production')).toBe(heading.indexOf('ENVIRONMENT'))
  expect(await usher(['keys', 'revoke', key], settings)).toMatchObject({ code: 2, stdout: '' })
})

it('does not change the schema under a running server that is older', async () => {
  await test.database.query('delete from schema_migrations where version > 1', [])
  const { code, stderr } = await usher(['keys', 'list'], settings)
  expect(code).toBe(1)
  expect(stderr).toMatch(/^The database has schema version 1 and is in use by a server.*restart the server.*\n$/)
})

it('sets for how many days the events of one environment are kept, and refuses what is no number of days', async () => {
  await usherJson(['accounts', 'create', 'Acme'], settings)
  const set = (...words: string[]) => usher(['environments', 'set', ...words], settings)
  const kept = async () =>
    (await test.database.query('select name, keep_events_days from environments order by id', [])) as object[]
  expect(await set('--keep-events', '365d')).toMatchObject({ code: 1, stderr: expect.stringMatching(/--environment/) })
  expect((await set('--keep-events', '365d', '--environment', 'Staging')).stdout).toContain('for 365 days')
  const { stdout: listed } = await usher(['environments', 'list'], settings)
  expect(listed).toMatch(/Production +forever +forever .*\n.*Staging +365 days +forever /)
  for (const days of ['0d', '365', '-1d', '1.5d', '99999d', 'soon', ''])
    expect([days, (await set('--keep-events', days, '--environment', 'Staging')).code]).toEqual([days, 2])
  expect(await kept()).toEqual([
    { name: 'Production', keep_events_days: null },
    { name: 'Staging', keep_events_days: 365 },
  ])
  await set('--keep-events', 'forever', '--environment', 'Staging')
  const audited = await test.database.query(
    `select actor_kind, environment, (after->>'keep_events_days')::int as days
       from audit_entries where action = 'environment.changed' order by id`,
    [],
  )
  expect(audited).toEqual([365, null].map((days) => ({ actor_kind: 'command', environment: 'staging', days })))
  expect(await kept()).toMatchObject([{ keep_events_days: null }, { keep_events_days: null }])
  expect((await set('--environment', 'Staging')).stderr).toContain('--keep-events or --keep-sessions')
  const both = await set('--keep-events', '30d', '--keep-sessions', '90d', '--environment', 'Staging')
  expect(both.stdout).toMatch(
    /^Events of Staging .* 30 days .*\nContent sessions of Staging .* 90 days after they were over/,
  )
  expect((await usher(['environments', 'list'], settings)).stdout).toMatch(/Staging +30 days +90 days /)
})

it('lists the content and segments that look back further before it keeps events for a shorter time', async () => {
  await usherJson(['accounts', 'create', 'Acme'], settings)
  const [row] = await test.database.query<{ id: EnvironmentId }>(
    "select id from environments where slug = 'staging'",
    [],
  )
  const { id } = row as { id: EnvironmentId }
  await publishTest(test.database, id, tour('first', { who: { event: 'opened', within: '60d' } }))
  await test.database.query(
    `insert into segments (environment_id, id, key, name, scope, condition, created_at, updated_at)
     values ($1::int, gen_random_uuid(), 'active', 'Active', 'user', '{"all":[{"event":"a","within":"7d"},{"event":"b"}]}', now(), now())`,
    [id],
  )
  const set = (...words: string[]) => usher(['environments', 'set', '--environment', 'Staging', ...words], settings)
  const kept = async () => [
    ...(await test.database.query('select keep_events_days as days from environments where id = $1::int', [id])),
    ...(await test.database.query('select revision::text from guidance where environment_id = $1::int', [id])),
  ]
  const refused = await set('--keep-events', '30d')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('Add --confirm') })
  expect(refused.stdout.split('\n').slice(1, 3)).toEqual([
    'content first: who looks back 60 days',
    'segment active: condition.all[1] looks back to the first event',
  ])
  expect(await kept()).toEqual([{ days: null }, { revision: '1' }])
  expect((await set('--keep-events', '30d', '--confirm')).code).toBe(0)
  expect(await kept()).toEqual([{ days: 30 }, { revision: '2' }])
  // A longer time takes nothing away.
  expect((await set('--keep-events', '40d')).code).toBe(0)
})
