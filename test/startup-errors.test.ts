import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { startEmbedded } from '../server/database/embedded/index.ts'
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

it.each<[string, Record<string, string>, RegExp]>([
  ['nothing listens at DATABASE_URL', { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/x' }, /DATABASE_URL.*ECONNREFUSED/],
  ['DATABASE_URL cannot be read', { DATABASE_URL: 'postgres://u:p@host:port/x' }, /DATABASE_URL cannot be used/],
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
