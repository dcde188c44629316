import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { startEmbedded } from '../server/database/embedded/index.ts'
import { readConfig } from '../server/settings/config.ts'
import { usher, usherProcess } from './support/command.ts'
import { createTestDatabase, type TestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { silent } from './support/log.ts'
import { oldPostgres } from './support/old-postgres.ts'
import { receive } from './support/receivers.ts'

let base: string
let database: TestDatabase

beforeAll(async () => {
  base = await temporaryFolder()
  database = await createTestDatabase()
})

afterAll(async () => {
  await database.close()
  await rm(base, { recursive: true, force: true })
})

/** The one line that a failed start prints. */
async function refusal(settings: Record<string, string>, run = usherProcess): Promise<string> {
  const { code, stdout, stderr } = await run(['start'], {
    USHER_DATA_DIR: join(base, 'data'),
    PORT: '0',
    ...settings,
  })
  expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
    code: 1,
    stdout: '',
    lines: 1,
  })
  return stderr
}

it.each<[string, Record<string, string>, RegExp]>([
  ['DATABASE_URL is no address', { DATABASE_URL: 'mysql://localhost/x' }, /DATABASE_URL.*postgres:\/\//],
  ['HOST is open to the network without TLS', { HOST: '0.0.0.0' }, /HOST=0\.0\.0\.0.*USHER_TLS_CERT/],
  ['PORT is no port', { PORT: 'http' }, /PORT=http is not a whole number/],
  ['the log level is unknown', { USHER_LOG_LEVEL: 'loud' }, /USHER_LOG_LEVEL=loud is not one of/],
  [
    'the header prefix is none',
    { USHER_WEBHOOK_HEADER_PREFIX: 'Acme:' },
    /USHER_WEBHOOK_HEADER_PREFIX=Acme: .*Acme-Sig/,
  ],
  [
    'a setting is misspelt, and what was meant',
    { USHER_DATADIR: '/tmp/x' },
    /no setting USHER_DATADIR\. Did you mean USHER_DATA_DIR\?/,
  ],
  ['a certificate comes without its key', { USHER_TLS_CERT: 'cert.pem' }, /USHER_TLS_CERT and USHER_TLS_KEY/],
])('says in one line that %s', async (_, settings, line) => {
  // Before anything is started, so that no process is needed.
  expect(await refusal(settings, usher)).toMatch(line)
})

it('names every setting that is misspelt, beside one that is wrong', async () => {
  const { code, stderr } = await usher(['start'], { PORT: 'http', USHER_DATADIR: '/tmp/x', USHER_LOGLEVEL: 'info' })
  expect([code, stderr.match(/\b(USHER_DATADIR|USHER_LOGLEVEL|PORT)\b/g)]).toEqual([
    1,
    ['PORT', 'USHER_DATADIR', 'USHER_LOGLEVEL'],
  ])
})

const DATABASE_URL = 'postgres://u:p@127.0.0.1:1/x'
const ENCODED = /is not a PostgreSQL address: it cannot be read; in its user and password # is written %23/

it.each<[string, Record<string, string>, RegExp]>([
  ['a port is none', { DATABASE_URL: 'postgres://u:secret@host:port/x' }, ENCODED],
  ['a port is too large', { DATABASE_URL: 'postgres://u:secret@host:65536/x' }, ENCODED],
  ['a password has a #', { DATABASE_URL: 'postgres://u:secret#s@host/x' }, ENCODED],
  ['a password of digits has a #', { DATABASE_URL: 'postgres://u:12#secret@host/x' }, ENCODED],
  ['a password has an @ and a #', { DATABASE_URL: 'postgres://u:p@secret#s@host/x' }, ENCODED],
  ['a password has an @ and a /', { DATABASE_URL: 'postgres://u:p@secret/s@host/x' }, ENCODED],
  ['a password has an @ and a ?', { DATABASE_URL: 'postgres://u:p@secret?s@host/x' }, ENCODED],
  [
    'one of a replica has an @ and a #',
    { DATABASE_URL, DATABASE_REPLICA_URL: 'postgres://u:p@secret#s@host/x' },
    ENCODED,
  ],
  ['the port of a replica is none', { DATABASE_URL, DATABASE_REPLICA_URL: 'postgres://u:secret@host:port/x' }, ENCODED],
  ['the base URL has a password', { USHER_BASE_URL: 'https://ada:secret@usher.example.com' }, /USHER_BASE_URL is not/],
  ['the base URL has a user', { USHER_BASE_URL: 'https://secret@usher.example.com' }, /USHER_BASE_URL is not/],
  ['the base URL has a query', { USHER_BASE_URL: 'https://usher.example.com/?key=secret' }, /USHER_BASE_URL is not/],
  ['the base URL is none', { USHER_BASE_URL: 'ada:secret@usher.example.com' }, /USHER_BASE_URL is not/],
])('of an address that cannot be used nothing is printed: %s', async (_, settings, line) => {
  for (const command of ['start', 'doctor']) {
    const { code, stdout, stderr } = await usher([command], { USHER_DATA_DIR: join(base, 'data'), ...settings })
    expect([command, code, stdout + stderr]).toEqual([command, 1, expect.stringMatching(line)])
    expect(stdout + stderr).not.toMatch(/secret/i)
  }
})

it.each([
  'postgres://',
  'postgresql://db-1,db-2/usher',
  'postgres:///usher?host=/var/run/postgresql',
  'postgres://%2Fvar%2Frun%2Fpostgresql/usher',
  'postgres://u:p@/usher',
  'postgres://u:p%23%2F%3F%40%25@host:6432/usher?sslmode=verify-full&application_name=a@b/c',
  'postgres://u:p@p@[::1]/usher',
  'postgres://u:p p[]@host/usher',
])('takes DATABASE_URL=%s', (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
})

it.each<[string, Record<string, string>, RegExp]>([
  ['nothing listens at DATABASE_URL', { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' }, /DATABASE_URL.*ECONNREFUSED/],
  [
    'Node cannot run TypeScript',
    { NODE_OPTIONS: '--no-experimental-strip-types' },
    /^Usher needs Node \S+ and found \S+: run "npm ci" without --ignore-scripts/,
  ],
  ['HOST is not of this machine', { HOST: '192.0.2.1', USHER_TRUSTED_PROXIES: '10.0.0.1' }, /HOST=192\.0\.2\.1/],
  [
    'the certificate is not there',
    { USHER_TLS_CERT: '/nonexistent/cert.pem', USHER_TLS_KEY: '/nonexistent/key.pem' },
    /USHER_TLS_CERT and USHER_TLS_KEY cannot be used: ENOENT.*\/nonexistent\/cert\.pem/,
  ],
  [
    'the certificate is none',
    { USHER_TLS_CERT: import.meta.filename, USHER_TLS_KEY: import.meta.filename },
    /USHER_TLS_CERT and USHER_TLS_KEY cannot be used: .*PEM/,
  ],
])('says in one line that %s', async (_, settings, line) => {
  expect(await refusal(settings)).toMatch(line)
})

/** The server of TEST_DATABASE_URL may need no password. */
const own = inject('postgres')
it.skipIf(own.password === '')(
  'says in one line that the password of DATABASE_URL is wrong, without showing it',
  async () => {
    // The databases of tests ask for none (test/support/servers.ts).
    const url = database.url.replace(/:[^:@]*@/, ':not-the-password@').replace(/\/test_\w+\?/, `/${own.database}?`)
    const line = await refusal({ DATABASE_URL: url })
    expect(line).toMatch(/password authentication failed/)
    expect(line).not.toContain('not-the-password')
  },
)

it('says in one line that the database does not exist', async () => {
  expect(await refusal({ DATABASE_URL: database.url.replace(/\/test_\w+\?/, '/nothing_there?') })).toMatch(
    /database "nothing_there" does not exist/,
  )
})

it('says in one line that the PostgreSQL is too old', async () => {
  const server = await oldPostgres('140012')
  onTestFinished(() => server.close())
  expect(await refusal({ DATABASE_URL: `postgres://u:p@127.0.0.1:${server.port}/x` })).toMatch(
    /is PostgreSQL 14; Usher needs 15 or newer/,
  )
})

it('says in one line that the port is in use, and starts no database for it', async () => {
  const other = await receive(createServer())
  onTestFinished(() => other.close())
  expect(await refusal({ PORT: String(other.port) })).toMatch(new RegExp(`Port ${other.port} .*is in use.*set PORT`))
})

it('says in one line that another server uses the data folder', async () => {
  const folder = join(base, 'taken')
  const server = await startEmbedded(folder, silent)
  onTestFinished(() => server.stop())
  expect(await refusal({ USHER_DATA_DIR: folder })).toMatch(`in use by another Usher server (pid ${process.pid})`)
})

it('says in one line that the data folder cannot be written', async () => {
  const file = join(base, 'file')
  await writeFile(file, '')
  expect(await refusal({ USHER_DATA_DIR: join(file, 'data') })).toMatch(/the data folder .* cannot be written/)
  await mkdir(join(base, 'closed'), { mode: 0o500 })
  // Root may write everywhere; what it may not write are the kernel's own folders.
  const closed = process.getuid?.() === 0 ? '/sys/usher' : join(base, 'closed')
  expect(await refusal({ USHER_DATA_DIR: closed })).toMatch(/the data folder .* cannot be written/)
})
