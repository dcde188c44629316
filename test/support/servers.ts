import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import pg from 'pg'
import { distributeTables } from '../../server/database/distribute.ts'
import { startEmbedded } from '../../server/database/embedded/index.ts'
import { migrate } from '../../server/database/migrate.ts'
import { connect } from '../../server/database/open.ts'
import { openSession } from '../../server/database/session.ts'
import { PLAIN } from '../../server/database/topology.ts'
import { Retention } from '../../server/webhooks/retention.ts'
import { temporaryFolder } from './folder.ts'
import { silent } from './log.ts'

export interface ServerAddress {
  host: string
  port: number
  user: string
  password: string
  database: string
}

/** What the tests run on: one server, or the coordinator of a cluster and its workers. */
export interface TestServers {
  /** The first takes the statements of the tests. */
  servers: ServerAddress[]
  isDistributed: boolean
  stop(): Promise<void>
}

/** Few: each is a table for every table, in each of many databases. */
const SHARDS = 4

/** `TEST_DATABASE_URL` is any PostgreSQL; with `TEST_DISTRIBUTE=1` the coordinator of a Citus cluster that knows its workers. */
export async function openServers(
  { TEST_DATABASE_URL, TEST_DISTRIBUTE }: NodeJS.ProcessEnv,
  isLong: boolean,
): Promise<TestServers> {
  if (!TEST_DATABASE_URL) return await startServer(isLong)
  const first = addressOf(TEST_DATABASE_URL)
  const isDistributed = TEST_DISTRIBUTE === '1'
  const workers = isDistributed ? await workersOf(first) : []
  return { servers: [first, ...workers], isDistributed, stop: disconnect }
}

async function startServer(isLong: boolean): Promise<TestServers> {
  const folder = await temporaryFolder()
  const embedded = await startEmbedded(folder, silent)
  await turnOff(embedded.connection, isLong)
  await askForNoPasswords(embedded.connection, folder)
  const stop = async () => {
    await embedded.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { servers: [{ ...embedded.connection }], isDistributed: false, stop }
}

/**
 * No test crashes this server, so it needs no durability. Databases are created and dropped faster without it. They live for
 * seconds, so nothing has to be vacuumed; those of the long tests live for minutes and have volumes.
 */
async function turnOff(server: ClientConfig, isLong: boolean): Promise<void> {
  const names = ['fsync', 'full_page_writes', ...(isLong ? [] : ['autovacuum'])]
  for (const name of names) await run(server, `alter system set ${name} = off`)
}

/**
 * Who reaches the socket of this server needs no password for the databases of tests: a connection that checks one takes 7 ms of
 * CPU time instead of 5, most of it for loading OpenSSL. Its own database asks for the password, as embedded servers do.
 */
async function askForNoPasswords(server: ServerAddress, folder: string): Promise<void> {
  const file = join(folder, 'postgres/cluster/pg_hba.conf')
  await writeFile(file, `local "/^test_" all trust\n${await readFile(file, 'utf8')}`)
  await run(server, 'select pg_reload_conf()')
}

function addressOf(connectionString: string): ServerAddress {
  const { host, port, user, password, database } = new pg.Client({ connectionString })
  return { host, port, user: user as string, password: password ?? '', database: database as string }
}

async function workersOf(coordinator: ServerAddress): Promise<ServerAddress[]> {
  const workers = await run<{ host: string; port: number }>(
    coordinator,
    `select nodename as host, nodeport as port from pg_dist_node where groupid > 0 and noderole = 'primary' order by nodeid`,
  )
  if (workers.length === 0) throw new Error('The coordinator of TEST_DATABASE_URL knows no workers.')
  return workers.map((worker) => ({ ...coordinator, ...worker }))
}

/**
 * The same database on all servers; of a template they are clones, shards included. Copying the files takes half the CPU time
 * of copying through the log.
 */
export async function createDatabase(
  servers: readonly ServerAddress[],
  name: string,
  template?: string,
): Promise<void> {
  const statement = `create database ${name}${template ? ` template ${template} strategy file_copy` : ''}`
  await Promise.all(servers.map((server) => administer(server, statement)))
}

/** The settings of a session do not reach the workers of a cluster. */
export async function setDefaults(
  servers: readonly ServerAddress[],
  name: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [setting, value] of Object.entries(settings))
    await Promise.all(servers.map((server) => run(server, `alter database ${name} set ${setting} = '${value}'`)))
}

const IN_USE = '55006'
const MOST_TRIES = 5

/** Citus connects to its workers again while their sessions are being ended. */
export async function dropDatabase(servers: readonly ServerAddress[], name: string): Promise<void> {
  await Promise.all(servers.map((server) => drop(server, name, 1)))
}

async function drop(server: ServerAddress, name: string, tries: number): Promise<void> {
  try {
    await administer(server, `drop database if exists ${name} with (force)`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== IN_USE || tries === MOST_TRIES) throw error
    await drop(server, name, tries + 1)
  }
}

/** A migrated database, distributed when the servers are a cluster, that is ready to be cloned. */
export async function makeTemplate({ servers, isDistributed }: TestServers, name: string): Promise<void> {
  await createDatabase(servers, name)
  const [coordinator, ...workers] = servers.map((server) => ({ ...server, database: name })) as [ServerAddress]
  if (isDistributed) await joinCluster(coordinator, workers)
  await migrate(coordinator)
  if (!isDistributed) return await createPartitions(coordinator)
  const client = await openSession(coordinator)
  await distributeTables(client, { shards: SHARDS })
  await client.end()
  // A database with connections cannot be cloned, and Citus stays connected until connections are not allowed.
  for (const server of servers) {
    await run(server, `alter database ${name} with allow_connections false`)
    await run(server, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
  }
}

/** Those of today and tomorrow, which every server otherwise creates in its clone. */
async function createPartitions(template: ServerAddress): Promise<void> {
  const database = connect(template, 1, PLAIN)
  await new Retention({ database, log: silent }).run(1)
  await database.close()
}

export async function joinCluster(coordinator: ServerAddress, workers: readonly ServerAddress[]): Promise<void> {
  for (const server of [coordinator, ...workers]) await run(server, 'create extension citus')
  await run(coordinator, `select citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`)
  for (const { host, port } of workers) await run(coordinator, `select citus_add_node('${host}', ${port})`)
}

const administrators = new Map<string, Promise<pg.Client>>()

/** Creates and drops databases. Its connection stays: another one takes 8 ms of CPU time. */
async function administer(server: ServerAddress, statement: string): Promise<void> {
  const address = `${server.host}:${server.port}`
  const connecting = administrators.get(address) ?? connectToStay(server, () => administrators.delete(address))
  administrators.set(address, connecting)
  await (await connecting).query(statement)
}

/** From servers that go on: the process does not end while it is connected. */
async function disconnect(): Promise<void> {
  for (const connecting of administrators.values()) await (await connecting).end()
}

/** `lost` is called when it could not connect, and when the connection breaks: the next statement tries again. */
async function connectToStay(server: ServerAddress, lost: () => void): Promise<pg.Client> {
  const client = new pg.Client(server)
  client.on('error', lost)
  try {
    await client.connect()
  } catch (error) {
    lost()
    throw error
  }
  return client
}

async function run<Row extends pg.QueryResultRow>(server: ClientConfig, statement: string): Promise<Row[]> {
  const client = new pg.Client(server)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}
