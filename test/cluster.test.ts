import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { paths } from '../contract/dashboard/paths.ts'
import { migrate } from '../server/database/migrate.ts'
import { FIRST_RELEASE, readMigrations } from '../server/database/migration-files.ts'
import { openSession } from '../server/database/session.ts'
import { backedUpTables, distributedTables } from '../server/database/tables.ts'
import { findTopology, readStates } from '../server/database/topology.ts'
import type { Finding } from '../server/doctor/finding.ts'
import { startTestServer } from './support/client.ts'
import { usher, usherJson } from './support/command.ts'
import { memberOf } from './support/dashboard.ts'
import { type SampledOperation, sampleInputs } from './support/dashboard-samples.ts'
import { createTestDatabase } from './support/database.ts'
import { temporaryFolder } from './support/folder.ts'
import { uniqueName } from './support/postgres.ts'
import { call, spawnServer } from './support/process.ts'
import { createDatabase, dropDatabase, joinCluster } from './support/servers.ts'

/** What can be tested on a Citus cluster alone: `TEST_DATABASE_URL` and `TEST_DISTRIBUTE=1`. */

const { servers, isDistributed } = inject('cluster')
const SHARDS = '--shards=4'
const MINUTES_MS = 240_000

/** Those that hold nothing of the first environment are unreachable from now on. */
const WITHOUT_OTHER_WORKERS = `
  update pg_dist_node set nodeport = 1
   where noderole = 'primary' and shouldhaveshards and nodeport not in (
     select nodeport from pg_dist_placement join pg_dist_node using (groupid)
      where shardid = (select get_shard_id_for_distribution_column('users', min(id)) from environments))`

interface ClusterDatabase {
  url: string
  connection: pg.ClientConfig
  query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]>
}

function databaseAt(connection: pg.ClientConfig): ClusterDatabase {
  const { user, password, host, port, database } = connection
  const query = async <Row extends pg.QueryResultRow>(text: string) => {
    const client = await openSession(connection)
    return await client
      .query<Row>(text)
      .then(({ rows }) => rows)
      .finally(() => client.end())
  }
  return { url: `postgres://${user}:${password}@${host}:${port}/${database}`, connection, query }
}

/** On the coordinator, without our schema. */
async function emptyDatabase(): Promise<ClusterDatabase> {
  const name = uniqueName('cluster')
  await createDatabase(servers, name)
  onTestFinished(() => dropDatabase(servers, name))
  const [coordinator, ...workers] = servers.map((server) => ({ ...server, database: name }))
  await joinCluster(coordinator as (typeof servers)[number], workers)
  return databaseAt(coordinator as pg.ClientConfig)
}

/** On the coordinator, with tables that hold something and are not distributed. */
async function undistributedDatabase(): Promise<ClusterDatabase> {
  const database = await emptyDatabase()
  await migrate(database.connection)
  await write(database.url)
  return database
}

/** As the first release distributed it, with an audit entry that has values of a user in itself. */
async function databaseOfFirstRelease(): Promise<ClusterDatabase> {
  const database = await emptyDatabase()
  await migrate(database.connection, await readMigrations(FIRST_RELEASE))
  const made = await database.query<{ name: string }>(
    `select relname as name from pg_class where relkind in ('r', 'p')`,
  )
  for (const table of distributedTables.filter((name) => made.some((one) => one.name === name)))
    await database.query(`set citus.multi_shard_modify_mode = 'sequential'; set citus.shard_count = 4;
      select create_distributed_table('${table}', 'environment_id', colocate_with => '${table === 'users' ? 'none' : 'users'}')`)
  await database.query(`
    insert into accounts (name, plan, created_at) values ('Acme', 'growth', now());
    insert into environments (account_id, name, slug, created_at) values (1, 'Production', 'production', now());
    insert into users (environment_id, id, attributes, created_at, name_key, signed_up_at_key, last_seen_at_key)
    values (1, 'u', '{}', now(), '', '', '');
    insert into audit_entries
           (account_id, id, at, actor_kind, actor_name, action, target_kind, target_id, environment, before)
    select 1, gen_random_uuid(), now(), 'member', 'Ada', 'user.changed', 'user', target, 'production', '{"email": "x"}'
      from unnest('{u,deleted}'::text[]) as target`)
  return database
}

/** Distributed, and empty. */
async function distributedDatabase(): Promise<ClusterDatabase> {
  const test = await createTestDatabase()
  await test.database.close()
  onTestFinished(() => dropDatabase(servers, test.connection.database as string))
  return databaseAt(test.connection)
}

/** A user in a group, an event, and a subscription that is notified of them. */
async function write(url: string): Promise<void> {
  const server = await spawnServer({ DATABASE_URL: url })
  try {
    const subscription = { url: 'http://127.0.0.1:9/x', topics: ['*'] }
    const answers = [
      await call(server, 'POST', '/webhook_subscriptions', subscription),
      await call(server, 'POST', '/users', { id: 'u', attributes: { n: { add: 1 } }, groups: [{ id: 'g' }] }),
      await call(server, 'POST', '/events', { name: 'e', user_id: 'u', attributes: { a: 1 } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  } finally {
    await server.end()
  }
}

async function contents({ query }: ClusterDatabase): Promise<Record<string, unknown[]>> {
  const tables: Record<string, unknown[]> = {}
  for (const table of backedUpTables)
    tables[table] = (await query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} as t`))
      .map(({ row }) => row)
      .sort()
  return tables
}

async function states(database: ClusterDatabase): Promise<string[]> {
  const client = await openSession(database.connection)
  return await readStates(client)
    .then((all) => all.map(({ name }) => name))
    .finally(() => client.end())
}

async function shardCount({ query }: ClusterDatabase): Promise<number> {
  return (await query(`select from pg_dist_shard where logicalrelid = 'users'::regclass`)).length
}

async function findings(database: ClusterDatabase): Promise<Finding[]> {
  const { stdout } = await usher(['doctor', '--json'], { DATABASE_URL: database.url })
  return (JSON.parse(stdout) as { findings: Finding[] }).findings
}

describe.runIf(isDistributed)('on a cluster', { timeout: MINUTES_MS }, () => {
  it('usher shard says in advance what it moves, continues after an interruption, keeps every row, and can be repeated', async () => {
    const database = await undistributedDatabase()
    const settings = { DATABASE_URL: database.url }
    const before = await contents(database)

    const plan = await usherJson<{ tables: { name: string }[]; seconds: number }>(['shard', '--dry-run'], settings)
    expect(plan.tables.map(({ name }) => name)).toEqual([...distributedTables])
    expect(plan.seconds).toBeGreaterThan(0)
    expect(await states(database)).toEqual([])

    await database.query(`set citus.multi_shard_modify_mode = 'sequential';
      select create_distributed_table('users', 'environment_id', colocate_with => 'none', shard_count => 4)`)
    const refused = await usher(['start'], { ...settings, PORT: '0' })
    expect(refused.code).toBe(1)
    expect(refused.stdout + refused.stderr).toContain('Some tables are distributed and some are not')
    expect(await findings(database)).toContainEqual(
      expect.objectContaining({ check: 'cluster', status: 'problem', finding: expect.stringContaining('usher shard') }),
    )

    const done = await usherJson<{ distributed: string[]; seconds: number }>(['shard', SHARDS], settings)
    expect(done.distributed).toEqual(distributedTables.slice(1))
    expect(done.seconds).toBeGreaterThan(0)
    expect(await states(database)).toEqual([...distributedTables].sort())
    expect(await contents(database)).toEqual(before)

    expect((await usher(['shard', SHARDS], settings)).stdout).toContain('nothing to do')
    await write(database.url)
    const doctor = await findings(database)
    expect(doctor.filter(({ status }) => status === 'problem')).toEqual([])
    expect(doctor).toContainEqual(expect.objectContaining({ check: 'cluster', status: 'ok' }))
  })

  it('an upgrade migrates tables on the workers, moves values of audit entries there, and distributes the new tables', async () => {
    const database = await databaseOfFirstRelease()
    await migrate(database.connection)
    expect(await findTopology(database.connection)).toEqual({ isDistributed: true })
    expect(await database.query('select environment_id, user_id, before from audit_values')).toEqual([
      { environment_id: 1, user_id: 'u', before: { email: 'x' } },
    ])
    expect(await database.query('select from audit_entries where before is not null')).toEqual([])
  })

  it('usher shard is refused while a server runs', async () => {
    const database = await undistributedDatabase()
    const server = await spawnServer({ DATABASE_URL: database.url })
    try {
      const { code, stderr } = await usher(['shard', SHARDS], { DATABASE_URL: database.url })
      expect([code, stderr]).toEqual([1, expect.stringContaining('stop it first')])
      expect(await states(database)).toEqual([])
    } finally {
      await server.end()
    }
  })

  it('a table taken out of the cluster, a control table in it, and the address of a worker are refused', async () => {
    const database = await distributedDatabase()
    const [, worker] = servers
    await expect(
      findTopology({ ...database.connection, ...worker, database: database.connection.database } as pg.ClientConfig),
    ).rejects.toThrow('connect to its coordinator')
    await database.query(`select undistribute_table('imports')`)
    await expect(findTopology(database.connection)).rejects.toThrow(/are not \(imports\)/)
    await usherJson(['shard'], { DATABASE_URL: database.url })
    expect(await findTopology(database.connection)).toEqual({ isDistributed: true })
    await database.query(`select create_reference_table('sign_in_attempts')`)
    await expect(findTopology(database.connection)).rejects.toThrow('sign_in_attempts is distributed')
  })

  it('restore into a distributed database distributes what it has restored', async () => {
    const folder = await temporaryFolder()
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const [source, target] = [await distributedDatabase(), await distributedDatabase()]
    await write(source.url)
    await write(target.url)
    const file = join(folder, 'backup')
    await usherJson(['backup', file], { DATABASE_URL: source.url })
    await usherJson(['restore', file, '--replace'], { DATABASE_URL: target.url })
    expect(await findTopology(target.connection)).toEqual({ isDistributed: true })
    expect(await shardCount(target)).toBe(await shardCount(source))
    expect(await contents(target)).toEqual(await contents(source))
    await write(target.url)
  })

  it('a partition that is missing is made again and distributed when a server starts', async () => {
    const database = await distributedDatabase()
    await write(database.url)
    const partitions = () =>
      database.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits join pg_dist_partition on logicalrelid = inhrelid
          where inhparent = 'webhook_notifications'::regclass and inhrelid <> 'webhook_notifications_default'::regclass`,
      )
    const made = await partitions()
    expect(made.length).toBeGreaterThan(0)
    for (const { name } of made) await database.query(`drop table ${name}`)
    await write(database.url)
    expect((await partitions()).map(({ name }) => name)).toContain(made[0]?.name)
    expect(await database.query('select from webhook_notifications_default')).toEqual([])
  })

  it('doctor names a worker with another time zone, and one that is unreachable with the tables that it cannot count', async () => {
    const database = await distributedDatabase()
    const [, worker] = servers
    const client = new pg.Client(worker)
    await client.connect()
    await client
      .query(`alter database ${database.connection.database} set timezone = 'Asia/Tokyo'`)
      .finally(() => client.end())
    expect(await findings(database)).toContainEqual(
      expect.objectContaining({ status: 'warning', finding: expect.stringContaining('Asia/Tokyo') }),
    )
    await database.query(`update pg_dist_node set nodeport = 1 where nodeport = ${worker?.port}`)
    const found = await findings(database)
    expect(found).toContainEqual(expect.objectContaining({ status: 'problem', finding: 'does not answer' }))
    for (const check of ['tables', 'backlog'])
      expect(found).toContainEqual(expect.objectContaining({ check, finding: expect.stringContaining('not counted') }))
  })

  it('/readyz and the metrics name a worker that is unreachable, and the metrics keep what the others hold', async () => {
    const database = await distributedDatabase()
    const server = await spawnServer({ DATABASE_URL: database.url })
    onTestFinished(async () => void (await server.end()))
    await database.query(`update pg_dist_node set nodeport = 1 where nodeport = ${servers[1]?.port}`)
    const ready = async () => await (await fetch(`${server.url}/readyz`)).json()
    await expect
      .poll(ready)
      .toMatchObject({ status: 'degraded', checks: { workers: expect.stringContaining(':1 does not answer') } })
    const metrics = await (await fetch(`${server.url}/metrics`)).text()
    expect(metrics).toMatch(/^usher_cluster_worker_up\{worker="[^"]+:1"\} 0$/m)
    expect(metrics).toMatch(/^usher_webhook_deliveries_waiting 0$/m)
    expect(metrics).toMatch(/^usher_table_bytes\{table="users"\} [1-9]\d+$/m)
  })

  it('requests for an environment are answered while a worker that holds none of it is unreachable', async () => {
    const database = await distributedDatabase()
    await write(database.url)
    const server = await spawnServer({ DATABASE_URL: database.url })
    onTestFinished(async () => void (await server.end()))
    await database.query(WITHOUT_OTHER_WORKERS)
    const lists = ['users', 'groups', 'events', 'attribute_definitions', 'event_definitions', 'webhook_subscriptions']
    const guidance = [
      'content',
      `content_versions?content_id=${crypto.randomUUID()}`,
      'content_sessions',
      'themes',
      'segments',
    ]
    const paths = [...lists, ...guidance, 'attribute_definitions?event_name[]=e', 'users/u?expand[]=memberships.group']
    const answers = await Promise.all(paths.map(async (path) => [path, (await call(server, 'GET', `/${path}`)).status]))
    expect(answers).toEqual(paths.map((path) => [path, 200]))
  })

  it('what the dashboard does in an environment is done while a worker that holds none of it is unreachable', async () => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    const owner = await memberOf(server, 'owner')
    const samples = await sampleInputs(server, owner)
    await server.database.pool.query(WITHOUT_OTHER_WORKERS)
    const failed: unknown[] = []
    for (const name of Object.keys(samples) as SampledOperation[]) {
      if (!paths[name].path.includes('/:environment')) continue
      const input = (await samples[name](owner)) as { environment: string }
      // Others may be on the worker that is unreachable.
      if (input.environment !== 'production') continue
      const { status, text } = await owner.send(name, input as never)
      if (status !== 200) failed.push([name, status, text])
    }
    expect(failed).toEqual([])
  })
})
