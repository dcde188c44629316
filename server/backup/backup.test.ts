import { writeFileSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createEnvironment, createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { testServices } from '../../test/support/services.ts'
import { parseOperations } from '../attributes/operations.ts'
import { queryableOf } from '../database/queryable.ts'
import { openSession } from '../database/session.ts'
import { backedUpTables } from '../database/tables.ts'
import { findPause } from '../webhooks/pause.ts'
import { restoreBackup } from './restore.ts'
import { writeBackup } from './write.ts'

let folder: string
let source: TestDatabase
let target: TestDatabase

beforeAll(async () => {
  folder = await temporaryFolder()
  source = await createTestDatabase()
  target = await createTestDatabase()
  const services = testServices(source.database)
  const environmentId = await createEnvironment(source.database)
  const at = new Date().toISOString()
  const hostile = { text: 'tab\tline\nback\\slash \\. "quote" 🙂', n: 1e300, yes: true }
  await Promise.all(
    Array.from({ length: 300 }, (_, index) => {
      const part = {
        membershipId: crypto.randomUUID(),
        operations: [],
        membershipOperations: parseOperations({ role: 'x' }),
        groupPath: '',
        membershipPath: '',
      }
      const groups = [{ ...part, id: `g${index % 7}` }]
      return services.write(environmentId, {
        kind: 'user',
        id: `u\\.${index}`,
        operations: parseOperations(hostile),
        groups,
        prune: false,
      })
    }),
  )
  await services.write(environmentId, {
    kind: 'event',
    name: 'x',
    userId: 'u',
    groupId: null,
    operations: parseOperations(hostile),
    time: at,
    timeMs: 0,
  })
  await services.usage.stop()
  // A restore needs a database without a server.
  await target.database.close()
})
afterAll(async () => {
  await source.close()
  await target.close()
  await rm(folder, { recursive: true, force: true })
})

async function everything({ connection }: TestDatabase): Promise<Record<string, unknown[]>> {
  const { default: pg } = await import('pg')
  const client = new pg.Client(connection)
  await client.connect()
  const tables: Record<string, unknown[]> = {}
  for (const table of backedUpTables) {
    const { rows } = await client.query(`select to_jsonb(t) as row from ${table} as t order by 1`)
    tables[table] = rows.map(({ row }) => row)
  }
  await client.end()
  return tables
}

it('restores everything as it was, and sequences continue after it', async () => {
  const file = join(folder, 'backup')
  const written = await writeBackup(source.connection, file)
  expect(written.rows).toMatchObject({ users: 300, groups: 7, group_memberships: 300, events: 1 })
  const restored = await restoreBackup(target.connection, file, false)
  expect(restored.rows).toEqual(written.rows)
  expect(await everything(target)).toEqual(await everything(source))
})

it('of two backups to one name at once, one is refused and the other is whole', async () => {
  const file = join(folder, 'twice')
  const both = await Promise.allSettled([writeBackup(source.connection, file), writeBackup(source.connection, file)])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { message: expect.stringContaining('is there already') },
  })
  expect((await readdir(folder)).filter((name) => name.includes('unfinished'))).toEqual([])
  expect(gunzipSync(await readFile(file)).toString()).toMatch(/\{"end":true,.*\}\n$/)
})

it('does not overwrite a file that appears while it is being written', async () => {
  const file = join(folder, 'mine')
  const write = writeBackup(source.connection, file, { onProgress: () => writeFileSync(file, 'mine') })
  await expect(write).rejects.toThrow('is there already')
  expect(await readFile(file, 'utf8')).toBe('mine')
  await writeBackup(source.connection, file, { overwrite: true })
  expect(await readFile(file, 'latin1')).not.toBe('mine')
})

it('refuses a database with data unless it is to be replaced', async () => {
  const file = join(folder, 'backup')
  await expect(restoreBackup(target.connection, file, false)).rejects.toThrow(/has data: add --replace/)
  await restoreBackup(target.connection, file, true)
  expect(await everything(target)).toEqual(await everything(source))
})

it('refuses a database that a server is using', async () => {
  await source.database.query('select 1', [])
  await expect(restoreBackup(source.connection, join(folder, 'backup'), true)).rejects.toThrow(/stop it first/)
})

it('changes nothing when the file is cut short, is something else, or is not there', async () => {
  const whole = await readFile(join(folder, 'backup'))
  const before = await everything(target)
  for (const content of [
    whole.subarray(0, whole.length - 20),
    whole.subarray(0, 200),
    Buffer.from('hello'),
    Buffer.alloc(0),
  ]) {
    await writeFile(join(folder, 'broken'), content)
    await expect(restoreBackup(target.connection, join(folder, 'broken'), true)).rejects.toThrow(
      /not a complete backup/,
    )
  }
  await expect(restoreBackup(target.connection, join(folder, 'nothing'), true)).rejects.toThrow(/There is no file/)
  expect(await everything(target)).toEqual(before)
})

it('a migration that the backup does not have is applied to its rows, also one below the latest', async () => {
  const file = join(folder, 'gap')
  const [{ id: accountId } = { id: 0 }] = await source.database.query<{ id: number }>('select id from accounts', [])
  const [environment] = await source.database.query<{ slug: string }>(
    'select slug from environments where account_id = $1::int',
    [accountId],
  )
  await source.database.query(
    `insert into audit_entries (account_id, id, at, actor_kind, actor_name, action, target_kind, target_id, environment, before)
     values ($1::int, gen_random_uuid(), now(), 'member', 'm', 'events.delete', 'event', 'e', $2::text, '{"user_id": "u"}')`,
    [accountId, environment?.slug],
  )
  await source.database.query('delete from schema_migrations where version = 92', [])
  await writeBackup(source.connection, file)
  await source.database.query(
    `insert into schema_migrations (version, name, applied_at) values (92, '0092_audit_values_of_earlier_entries', now())`,
    [],
  )
  await restoreBackup(target.connection, file, true)
  const { audit_entries, audit_values } = await everything(target)
  expect(audit_entries).toMatchObject([{ target_id: 'e', before: null }])
  expect(audit_values).toMatchObject([{ user_id: 'u', before: { user_id: 'u' } }])
})

it('refuses a backup with a migration that this version does not have', async () => {
  const file = join(folder, 'foreign')
  const lines = gunzipSync(await readFile(join(folder, 'backup'))).toString()
  const header = JSON.parse(lines.slice(0, lines.indexOf('\n')))
  const foreign = JSON.stringify({ ...header, migrations: [...header.migrations, 1_000_000] })
  await writeFile(file, gzipSync(foreign + lines.slice(lines.indexOf('\n'))))
  await expect(restoreBackup(target.connection, file, true)).rejects.toThrow(/migration 1000000.*install a newer Usher/)
})

it('refuses to replace a database of a newer version, and says where the backup can be restored', async () => {
  const client = await openSession(target.connection)
  onTestFinished(async () => {
    await client.query('delete from schema_migrations where version = 1000000')
    await client.end()
  })
  await client.query(`insert into schema_migrations (version, name, applied_at) values (1000000, 'newer', now())`)
  const restored = restoreBackup(target.connection, join(folder, 'backup'), true)
  await expect(restored).rejects.toThrow(/schema version 1000000.*restore into an empty data folder or database/)
})

it('pauses the webhooks of what it restores, unless it takes the place of the original', async () => {
  const file = join(folder, 'backup')
  const paused = async () => {
    const client = await openSession(target.connection)
    return await findPause(queryableOf(client)).finally(() => client.end())
  }
  await restoreBackup(target.connection, file, true)
  expect(await paused()).toMatchObject({ reason: expect.stringContaining('restored from a backup') })
  await restoreBackup(target.connection, file, true, { deliver: true })
  expect(await paused()).toBeUndefined()
})
