import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { isRunning } from '../../is-running.ts'
import type { Log } from '../../log.ts'
import { StartupError } from '../../startup-error.ts'
import { borrowEmbedded, type EmbeddedDatabase, startEmbedded } from './index.ts'
import { boundLogFile } from './log-file.ts'

const log: Log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() }
const asRoot = process.getuid?.() === 0

let base: string
let databases: EmbeddedDatabase[]
let children: ChildProcess[]

let template: string

/** Making a cluster takes most of a second; tests that are not about the first start get a copy of this one. */
beforeAll(async () => {
  template = await mkdtemp(join(tmpdir(), 'usher-template-'))
  await chmod(template, 0o755)
  await (await borrowEmbedded(join(template, 'data'), log, { create: true })).stop()
})

afterAll(async () => {
  await rm(template, { recursive: true, force: true })
})

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'usher test '))
  await chmod(base, 0o755)
  databases = []
  children = []
})

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(databases.map((database) => database.stop()))
  for (const { connection } of databases) await rm(connection.host, { recursive: true, force: true })
  await rm(base, { recursive: true, force: true })
})

async function usedFolder(): Promise<string> {
  const folder = join(base, 'data')
  await promisify(execFile)('cp', ['-a', join(template, 'data'), folder])
  return folder
}

async function start(folder: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded(folder, log)
  databases.push(database)
  return database
}

async function borrow(folder: string): Promise<EmbeddedDatabase> {
  const database = await borrowEmbedded(folder, log)
  databases.push(database)
  return database
}

async function sql(database: EmbeddedDatabase, text: string): Promise<unknown[]> {
  const client = new Client(database.connection)
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** A server in its own process, which says when it is up; it can be killed. */
async function startElsewhere(folder: string): Promise<ChildProcess> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(import.meta.resolve('./index.ts'))}
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const outcome = await startEmbedded(process.argv[1], log).then(() => 'up', (error) => error.message)
    console.log(outcome)
    if (outcome !== 'up') process.exit(1)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return child
}

async function saysOf(child: ChildProcess): Promise<string> {
  const [said] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return said.toString().trim()
}

/** A process that has ended keeps its number until its parent has asked for its exit code, which Node does a little later. */
async function isGone(pid: number): Promise<boolean> {
  await expect.poll(() => isRunning(pid)).toBe(false)
  return true
}

test('keeps the data over a stop and a start, and leaves no process and no socket behind', async () => {
  const folder = join(base, 'data')
  const first = await start(folder)
  await sql(first, 'create table kept as select 42 as n')
  await first.stop()
  expect(await isGone(first.pid)).toBe(true)
  await expect(stat(first.connection.host)).rejects.toThrow('ENOENT')
  const second = await start(folder)
  expect(await sql(second, 'select n from kept')).toEqual([42])
})

test('is durable, checked and closed to the outside', async () => {
  const database = await start(join(base, 'data'))
  for (const [setting, value] of [
    ['fsync', 'on'],
    ['synchronous_commit', 'on'],
    ['full_page_writes', 'on'],
    ['data_checksums', 'on'],
    ['listen_addresses', ''],
    ['server_encoding', 'UTF8'],
  ]) {
    expect([setting, ...(await sql(database, `show ${setting}`))]).toEqual([setting, value])
  }
  expect((await stat(join(base, 'data/postgres.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(database.connection.host)).mode & 0o777).toBe(0o700)
  await expect(
    sql({ ...database, connection: { ...database.connection, password: 'guessed' } }, 'select 1'),
  ).rejects.toThrow('password authentication failed')
})

test('works in a folder with a path of 200 characters, and after the folder was moved', async () => {
  const folder = join(base, 'deep '.repeat(20), 'deeper '.repeat(14), 'data')
  const first = await start(folder)
  expect(first.connection.host.length).toBeLessThan(90)
  await sql(first, 'create table kept as select 42 as n')
  await first.stop()
  await rename(folder, join(base, 'moved'))
  expect(await sql(await start(join(base, 'moved')), 'select n from kept')).toEqual([42])
})

test('a command works beside a server; when that is killed, the next adopts its PostgreSQL', async () => {
  const folder = await usedFolder()
  const killed = await startElsewhere(folder)
  expect(await saysOf(killed)).toBe('up')
  const command = await borrow(folder)
  await sql(command, 'create table kept as select 42 as n')
  await command.stop()
  expect(killed.exitCode).toBeNull()
  killed.kill('SIGKILL')
  const database = await start(folder)
  expect(database.pid).toBe(command.pid)
  expect(await sql(database, 'select n from kept')).toEqual([42])
})

test('restarts an orphaned PostgreSQL that cannot be reached any more', async () => {
  const folder = await usedFolder()
  const killed = await startElsewhere(folder)
  expect(await saysOf(killed)).toBe('up')
  const command = await borrow(folder)
  await command.stop()
  killed.kill('SIGKILL')
  await rm(command.connection.host, { recursive: true })
  const database = await start(folder)
  expect(database.pid).not.toBe(command.pid)
  expect(await sql(database, 'select 1')).toEqual([1])
})

test('refuses a second server on the folder, and names the first', async () => {
  const folder = await usedFolder()
  const database = await start(folder)
  const failure = await startEmbedded(folder, log).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(StartupError)
  expect(String(failure)).toMatch(`${folder} is in use by another Usher server (pid ${process.pid})`)
  expect(await sql(database, 'select 1')).toEqual([1])
})

test('of two servers that start at the same moment on a new folder, exactly one gets it', async () => {
  const folder = join(base, 'data')
  const both = await Promise.all([startElsewhere(folder), startElsewhere(folder)])
  const said = (await Promise.all(both.map(saysOf))).sort()
  expect(said[0]).toMatch('is in use by another Usher server')
  expect(said[1]).toBe('up')
  for (const child of both) child.kill('SIGKILL')
  await start(folder)
})

test('a command alone starts PostgreSQL and stops it, but not under a second command', async () => {
  const folder = await usedFolder()
  const first = await borrow(folder)
  await first.stop()
  expect(await isGone(first.pid)).toBe(true)

  const second = await borrow(folder)
  const beside = await borrow(folder)
  await second.stop()
  expect(await sql(beside, 'select 1')).toEqual([1])
  await beside.stop()
  await (await start(folder)).stop()
})

test('brings PostgreSQL back by itself when it was killed, and keeps the folder', async () => {
  const folder = await usedFolder()
  const database = await start(folder)
  await sql(database, 'create table kept as select 42 as n')
  const { pid } = database
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => database.pid).not.toBe(pid)
  expect(await sql(database, 'select n from kept')).toEqual([42])
  expect(log.warn).toHaveBeenCalled()
  const locks = "select application_name from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory'"
  expect(await sql(database, locks)).toContain(`usher server ${process.pid}`)
})

test('a stop during a restart of PostgreSQL leaves nothing running', async () => {
  const database = await start(await usedFolder())
  process.kill(database.pid, 'SIGKILL')
  await isGone(database.pid)
  await database.stop()
  const left = await readFile(join(base, 'data/postgres/cluster/postmaster.pid'), 'utf8').catch(() => '0')
  expect(await isGone(Number.parseInt(left, 10) || 2 ** 22)).toBe(true)
})

test('ignores a postmaster.pid whose number now belongs to another program', async () => {
  const folder = await usedFolder()
  const database = await start(folder)
  await database.stop()
  const other = spawn('sleep', ['60'], asRoot ? await ownerOf(join(folder, 'postgres')) : {})
  children.push(other)
  const stale = `${other.pid}\n${folder}/postgres/cluster\n1700000000\n5432\n${database.connection.host}\n\n`
  await writeFile(join(folder, 'postgres/cluster/postmaster.pid'), stale, { mode: 0o600 })
  expect(await sql(await start(folder), 'select 1')).toEqual([1])
  expect(other.exitCode).toBeNull()
})

test('says in one line that the folder cannot be written', async () => {
  await writeFile(join(base, 'file'), '')
  await expect(startEmbedded(join(base, 'file/data'), log)).rejects.toThrow(/^the data folder .* cannot be written/)
})

test('says in one line that the folder belongs to another user', async () => {
  const folder = join(base, 'data')
  await mkdir(folder)
  await writeFile(join(folder, 'postgres.json'), '{}', { mode: 0o600 })
  if (asRoot) await chown(join(folder, 'postgres.json'), 12345, 12345)
  else await chmod(join(folder, 'postgres.json'), 0)
  await expect(startEmbedded(folder, log)).rejects.toThrow('was made by another user')
})

test('says in one line that the cluster is of another PostgreSQL', async () => {
  const folder = join(base, 'data')
  await mkdir(join(folder, 'postgres/cluster'), { recursive: true })
  await writeFile(join(folder, 'postgres/cluster/PG_VERSION'), '17\n')
  await expect(startEmbedded(folder, log)).rejects.toThrow(/holds a database of PostgreSQL 17.* has PostgreSQL 18/)
})

test('says why PostgreSQL does not start, from its log', async () => {
  const folder = await usedFolder()
  await (await start(folder)).stop()
  await writeFile(join(folder, 'postgres/cluster/postgresql.conf'), 'no_such_setting = on\n')
  await expect(startEmbedded(folder, log)).rejects.toThrow(/^PostgreSQL did not start: .*no_such_setting/)
})

test('keeps at most two log files of bounded size', async () => {
  const file = join(base, 'postgres.log')
  await writeFile(file, randomBytes(11 * 1024 * 1024))
  await boundLogFile(file)
  expect((await stat(file)).size).toBe(0)
  expect((await stat(`${file}.1`)).size).toBe(11 * 1024 * 1024)
})

test.runIf(asRoot)('as root, works in a folder that only root can enter', async () => {
  await mkdir(join(base, 'home'), { mode: 0o700 })
  const folder = join(base, 'home/data')
  const first = await start(folder)
  const { elsewhere } = JSON.parse(await readFile(join(folder, 'postgres.json'), 'utf8')) as { elsewhere: string }
  try {
    await sql(first, 'create table kept as select 42 as n')
    await first.stop()
    expect(await sql(await start(folder), 'select n from kept')).toEqual([42])
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o700)
  } finally {
    await Promise.all(databases.map((database) => database.stop()))
    await rm(dirname(elsewhere), { recursive: true })
    await rmdir(dirname(dirname(elsewhere))).catch(() => undefined)
  }
})

async function ownerOf(path: string) {
  const { uid, gid } = await stat(path)
  return { uid, gid }
}
