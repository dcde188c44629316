import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { makeCertificate } from '../../../test/support/certificates.ts'
import { usher } from '../../../test/support/command.ts'
import { publishTest, tour } from '../../../test/support/content.ts'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { addSubscription } from '../../../test/support/deliveries.ts'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { judgeClock } from '../../doctor/clock.ts'
import { judgeDisk } from '../../doctor/data-folder.ts'
import type { Finding } from '../../doctor/finding.ts'
import { expectedIndexes } from '../../doctor/indexes.ts'
import { judgeRuntime } from '../../doctor/runtime.ts'
import { describeTables } from '../../doctor/tables.ts'
import { judgeExpiry } from '../../doctor/tls.ts'

let test: TestDatabase

beforeEach(async () => {
  test = await createTestDatabase()
})
afterEach(() => test.close())

async function examine(settings: Record<string, string>): Promise<{ code: number; problems: Finding[] }> {
  const { code, stdout } = await usher(['doctor', '--json'], settings)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  return { code, problems: findings.filter(({ status }) => status === 'problem') }
}

it('finds nothing wrong with a healthy database', async () => {
  expect(await examine({ DATABASE_URL: test.url })).toEqual({ code: 0, problems: [] })
  const sealed = { DATABASE_URL: test.url, USHER_SECRET_KEY: 'a'.repeat(64) }
  const { stdout } = await usher(['doctor'], sealed)
  expect(stdout).toContain('Nothing is wrong.')
  expect(stdout).toMatch(/the tables take [\d.]+ [kMG]B: \w+ /)
  expect(stdout).toMatch(/OK +backlog +0 deliveries wait/)
})

it('warns that webhooks reach private addresses of a server that others reach, and of secrets without a key', async () => {
  const settings = { DATABASE_URL: test.url, USHER_WEBHOOK_ALLOW_PRIVATE: 'true' }
  const { stdout } = await usher(['doctor'], { ...settings, USHER_TRUSTED_PROXIES: '127.0.0.1' })
  expect(stdout).toMatch(/WARNING +webhook targets +private addresses are allowed, and others reach/)
  expect(stdout).toMatch(/WARNING +secrets +those of webhooks and of identities are stored as they are/)
  expect((await usher(['doctor'], settings)).stdout).toMatch(/OK +webhook targets +private addresses are allowed, as/)
})

it('says that the key of the secrets is damaged, also while the server does not run', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'secret.key'), 'half')
  const { code, problems } = await examine({ USHER_DATA_DIR: folder })
  expect(code).toBe(1)
  expect(problems).toContainEqual(
    expect.objectContaining({ check: 'secrets', finding: expect.stringContaining('secret.key is damaged') }),
  )
})

it('warns that the key of the secrets is not in the folder of their database, as after a restore', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  expect((await usher(['doctor'], { USHER_DATA_DIR: folder })).stdout).toMatch(/OK +secrets +are sealed/)
  await writeFile(join(folder, 'postgres.json'), JSON.stringify({ elsewhere: null, socketFolder: null, password: 'p' }))
  const { stdout } = await usher(['doctor'], { USHER_DATA_DIR: folder })
  expect(stdout).toContain(`their key ${join(folder, 'secret.key')} is not there\n`)
  const set = { USHER_DATA_DIR: folder, USHER_SECRET_KEY: 'a'.repeat(64) }
  expect((await usher(['doctor'], set)).stdout).toMatch(/OK +secrets +are sealed .*: keep USHER_SECRET_KEY\n/)
})

it('says since when no webhooks are sent, in the form of all times', async () => {
  await test.database.query("insert into delivery_pause (reason, since) values ('a copy', '2026-01-03 09:30Z')", [])
  const { stdout } = await usher(['doctor'], { DATABASE_URL: test.url })
  expect(stdout).toContain('none are sent since 2026-01-03T09:30:00.000Z: a copy\n')
})

it('names a migration that is missing below the latest one', async () => {
  await test.database.query('delete from schema_migrations where version = 92', [])
  const { code, problems } = await examine({ DATABASE_URL: test.url })
  expect(code).toBe(1)
  expect(problems).toMatchObject([{ check: 'migrations', finding: expect.stringContaining('92') }])
})

it('what an interrupted reindex has left is dropped', async () => {
  await test.database.query('create index users_by_email_ccnew on users (environment_id)', [])
  await test.database.query(
    `update pg_index set indisvalid = false where indexrelid = 'users_by_email_ccnew'::regclass`,
    [],
  )
  const { problems } = await examine({ DATABASE_URL: test.url })
  expect(problems).toMatchObject([{ check: 'indexes', finding: 'not valid: users_by_email_ccnew' }])
  expect(problems[0]?.advice).toBe('Run in the database: drop index concurrently usher.users_by_email_ccnew;')
})

it('names a missing index and an invalid one, and the statements that repair them', async () => {
  await test.database.query('drop index users_by_email', [])
  await test.database.query(`update pg_index set indisvalid = false where indexrelid = 'groups_by_name'::regclass`, [])
  const { code, problems } = await examine({ DATABASE_URL: test.url })
  expect(code).toBe(1)
  expect(problems).toMatchObject([{ check: 'indexes', finding: 'missing: users_by_email; not valid: groups_by_name' }])
  expect(problems[0]?.advice).toContain('create index concurrently users_by_email on usher.users (environment_id,')
  expect(problems[0]?.advice).toContain('reindex index concurrently usher.groups_by_name')
  const [, statements] = /^Run in the database: (.*)$/.exec(problems[0]?.advice as string) as unknown as string[]
  for (const statement of (statements as string).split(';').filter(Boolean)) await test.database.query(statement, [])
  expect(await examine({ DATABASE_URL: test.url })).toEqual({ code: 0, problems: [] })
})

it('warns of content that pages cannot see, and of pages that need not prove who their user is', async () => {
  const environmentId = await createEnvironment(test.database)
  const { versionId } = await publishTest(test.database, environmentId, tour('welcome'))
  const found = async () => {
    const { stdout } = await usher(['doctor', '--json'], { DATABASE_URL: test.url })
    const { findings } = JSON.parse(stdout) as { findings: Finding[] }
    return findings
      .filter(({ check }) => check.startsWith('guidance'))
      .map(({ status, finding }) => `${status} ${finding}`)
  }
  const change = (text: string) => test.database.query(text, [environmentId])
  // Content that the API shows needs no token.
  expect(await found()).toEqual(['ok 1 published, none with a problem'])
  await change(`insert into public_tokens (environment_id, token, created_at) values ($1::int, 'pk_1', now())`)
  expect(await found()).toEqual([expect.stringMatching(/^warning pages of localhost only .* no origin/)])
  await change(`insert into public_origins values ($1::int, 'https://app.example.com', now())`)
  expect(await found()).toEqual([expect.stringMatching(/^warning .* can say any user id/)])
  await change(`insert into public_settings values ($1::int, 'required', 'sealed')`)
  expect(await found()).toEqual(['ok 1 published, none with a problem'])
  await change('update guidance set is_off = true where environment_id = $1::int')
  // Of any step, of the published version, and of the last days.
  await test.database.query(
    `insert into counts (environment_id, kind, step, at, name, count, last_at)
     select $1::int, 'target', 'hour', date_trunc('hour', now() - age), name, 3, now()
       from (values ($2::text || ' first missing', interval '0'), ($2::text || ' second missing', interval '3 days'),
                    ($2::text || ' third missing', interval '9 days'), ($2::text || ' fourth 0', interval '0'),
                    (gen_random_uuid() || ' earlier missing', interval '0')) as told (name, age)`,
    [environmentId, versionId],
  )
  expect(await found()).toEqual([
    'warning all content is switched off',
    'warning pages did not find elements of: welcome (step first), welcome (step second)',
  ])
})

it('warns of a backlog of deliveries', async () => {
  const environmentId = await createEnvironment(test.database)
  const subscriptionId = await addSubscription(test.database, environmentId, 'https://hook.example/')
  await test.database.query(
    `insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, attempt, due_at, expires_at)
     select $1::int, gen_random_uuid(), $2::uuid, 0, 0, now(), now() from generate_series(1, 100000)`,
    [environmentId, subscriptionId],
  )
  const { code, stdout } = await usher(['doctor', '--json'], { DATABASE_URL: test.url })
  expect(code).toBe(0)
  expect((JSON.parse(stdout) as { findings: Finding[] }).findings).toContainEqual({
    check: 'backlog',
    status: 'warning',
    finding: '100,000 deliveries wait, or more',
    advice: expect.stringContaining('Look under Webhooks'),
  })
})

it('says when deliveries wait because a clock was wrong, and when the clocks differ', async () => {
  const environmentId = await createEnvironment(test.database)
  await test.database.query(
    `insert into webhook_deliveries (environment_id, notification_id, subscription_id, state, attempt, due_at, expires_at)
     values ($1::int, gen_random_uuid(), gen_random_uuid(), 0, 0, now() + interval '2 hours', now() + interval '74 hours')`,
    [environmentId],
  )
  const { code, problems } = await examine({ DATABASE_URL: test.url })
  expect([code, problems[0]?.check]).toEqual([1, 'clock'])
  expect(judgeClock(-7_200_000, false)).toMatchObject({
    status: 'warning',
    finding: expect.stringContaining('7,200 s behind'),
  })
  expect(judgeClock(500, false).status).toBe('ok')
  expect(judgeClock(500, false, 31)).toMatchObject({
    status: 'warning',
    finding: expect.stringContaining('31 days ahead'),
  })
})

it('reports an outdated schema, and does not change it', async () => {
  await test.database.query('delete from schema_migrations where version > 1', [])
  const { code, problems } = await examine({ DATABASE_URL: test.url })
  expect([code, problems[0]?.check, problems[0]?.advice]).toEqual([1, 'migrations', expect.stringMatching(/^Start/)])
  const rows = await test.database.query('select version from schema_migrations', [])
  expect(rows).toHaveLength(1)
})

it('reports a database that cannot be reached, and settings that cannot be read', async () => {
  const unreachable = await examine({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' })
  expect(unreachable).toMatchObject({
    code: 1,
    problems: [{ check: 'database', finding: expect.stringContaining('ECONNREFUSED') }],
  })
  expect(await examine({ PORT: 'nonsense' })).toMatchObject({ code: 1, problems: [{ check: 'settings' }] })
})

it('reports all settings that are wrong, and not only the first, with one advice', async () => {
  const settings = {
    PORT: 'nonsense',
    USHER_WORKERS: '0',
    USHER_MAX_BODY_MEMORY_MB: '1',
    USHER_LOG_LEVEL: 'loud',
    USHER_LOGLEVEL: 'x',
  }
  const { code, problems } = await examine(settings)
  expect([code, problems.map(({ check }) => check)]).toEqual([1, Array(5).fill('settings')])
  const named = problems.map(({ finding }) => /PORT|USHER_\w+/.exec(finding)?.[0])
  expect(named).toEqual(['PORT', 'USHER_WORKERS', 'USHER_LOG_LEVEL', 'USHER_MAX_BODY_MEMORY_MB', 'USHER_LOGLEVEL'])
  expect((await usher(['doctor'], settings)).stdout.match(/^ {2}settings: /gm)).toHaveLength(1)
})

it('a check that cannot be made says so, and the others are reported', async () => {
  await test.database.query('alter table retention_clock rename to lost', [])
  const { stdout } = await usher(['doctor', '--json'], { DATABASE_URL: test.url })
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  expect(findings.filter(({ status }) => status === 'problem')).toMatchObject([
    { check: 'clock', finding: 'cannot be examined: relation "retention_clock" does not exist' },
  ])
  expect(findings.map(({ check }) => check)).toEqual(expect.arrayContaining(['indexes', 'guidance', 'backlog']))
})

it('does not say of a data folder that cannot be reached that it will be made', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'file'), '')
  const settings = { USHER_DATA_DIR: join(folder, 'file', 'data'), USHER_SECRET_KEY: 'a'.repeat(64) }
  const { problems } = await examine(settings)
  expect(problems).toMatchObject([{ check: 'data folder', finding: expect.stringContaining('not a directory') }])
})

it('does not start a PostgreSQL that does not run, and does not say that nothing is wrong', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'postgres', 'cluster'), { recursive: true })
  await writeFile(join(folder, 'postgres.json'), JSON.stringify({ elsewhere: null, socketFolder: null, password: 'p' }))
  const { stdout } = await usher(['doctor'], { USHER_DATA_DIR: folder })
  expect(stdout).toMatch(/WARNING +database +not examined: the PostgreSQL of .* does not run/)
  expect(stdout).toMatch(/It works\. \d warnings?: see above\.$/m)
  expect(await readdir(join(folder, 'postgres', 'cluster'))).toEqual([])
})

async function selfSigned(folder: string): Promise<{ certFile: string; keyFile: string }> {
  const { certPem, keyPem } = makeCertificate({ names: ['usher.example'] })
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')] as const
  await mkdir(folder)
  await Promise.all([writeFile(certFile, certPem), writeFile(keyFile, keyPem)])
  return { certFile, keyFile }
}

it('finds a key that does not fit its certificate, and one that ends soon', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  const [one, other] = await Promise.all([selfSigned(join(folder, 'one')), selfSigned(join(folder, 'other'))])
  const fits = { DATABASE_URL: test.url, USHER_TLS_CERT: one.certFile, USHER_TLS_KEY: one.keyFile }
  expect((await examine(fits)).problems).toEqual([])
  const { problems } = await examine({ ...fits, USHER_TLS_KEY: other.keyFile })
  expect(problems).toMatchObject([{ check: 'certificate', finding: expect.stringContaining('mismatch') }])
  const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
  expect([-1, 5, 60].map((count) => judgeExpiry(days(count), Date.now()).status)).toEqual(['problem', 'warning', 'ok'])
})

// Root may write everywhere.
it.skipIf(process.getuid?.() === 0)('does not say of a data folder that cannot be made that it will be', async () => {
  const folder = await temporaryFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  await chmod(folder, 0o555)
  const { problems } = await examine({ USHER_DATA_DIR: join(folder, 'data') })
  const finding = `${folder}/data is not there and cannot be made: permission denied`
  expect(problems).toMatchObject([{ check: 'data folder', finding }])
})

it('creates nothing when the data folder does not exist', async () => {
  const base = await temporaryFolder()
  const folder = join(base, 'data')
  expect(await examine({ USHER_DATA_DIR: folder })).toEqual({ code: 0, problems: [] })
  await expect(stat(folder)).rejects.toThrow('ENOENT')
  await rm(base, { recursive: true })
})

it('warns of a runtime that is not the pinned one, and of a disk that is nearly full', () => {
  expect(judgeRuntime('24.1.0', '24.1.0').status).toBe('ok')
  expect(judgeRuntime('24.0.0', '24.1.0').status).toBe('warning')
  expect(judgeRuntime('22.9.0', '24.1.0').status).toBe('problem')
  expect([100, 1_000, 10_000].map((megabytes) => judgeDisk('/', megabytes * 1024 * 1024).status)).toEqual([
    'problem',
    'warning',
    'ok',
  ])
})

it('says how many tables are not counted while a worker is unreachable', () => {
  const sizes = [
    { name: 'users', bytes: 3_000_000 },
    { name: 'accounts', bytes: 1_000 },
  ]
  expect(describeTables(sizes).finding).toBe('the tables take 3.0 MB: users 3.0 MB, accounts 1.0 kB')
  const partial = sizes.map((size) => ({ ...size, isPartial: size.name === 'users' }))
  expect(describeTables(partial).finding).toMatch(/users 3\.0 MB.*not counted: the shards of 1 table on a worker/)
})

it('expects the indexes that the migrations leave, not those that they dropped', () => {
  const names = expectedIndexes([
    'create table a (\n  x int not null,\n  primary key (x)\n)',
    '-- why\ncreate unique index a_by_x on a (x)',
    'create index a_by_y on a (y)',
    'drop index a_by_y',
    'create table b (x int, primary key (x))',
    'create index b_by_x on b (x)',
    'drop table b',
    'create index concurrently if not exists a_by_z on a (z)',
  ]).keys()
  expect([...names]).toEqual(['a_pkey', 'a_by_x', 'a_by_z'])
})
