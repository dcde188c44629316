import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Account, existingAccount } from '../../server/database/embedded/account.ts'
import { findBinaries } from '../../server/database/embedded/binaries.ts'
import { DATABASE, initialise, setPassword, USER } from '../../server/database/embedded/new-cluster.ts'
import { ENVIRONMENT, type Programs } from '../../server/database/embedded/programs.ts'
import { LONGEST_WAIT_MS } from './database.ts'
import { eventually } from './deliveries.ts'
import { temporaryFolder } from './folder.ts'

const run = promisify(execFile)
const PASSWORD = 'replicated'

/** A PostgreSQL of a test's own, reached by a Unix socket. */
export class TestPostgres {
  readonly url: string
  readonly connection: pg.ClientConfig
  readonly #programs: Programs
  readonly #folder: string
  readonly #port: number
  #child: ChildProcess | undefined

  constructor(programs: Programs, folder: string, port: number) {
    this.#programs = programs
    this.#folder = folder
    this.#port = port
    this.connection = { host: folder, port, user: USER, password: PASSWORD, database: DATABASE }
    this.url = `postgres://${USER}:${PASSWORD}@/${DATABASE}?host=${encodeURIComponent(folder)}&port=${port}`
  }

  get cluster(): string {
    return join(this.#folder, 'cluster')
  }

  /** What a standby of it connects with. */
  get connectionInfo(): string {
    return `host=${this.#folder} port=${this.#port} user=${USER} password=${PASSWORD}`
  }

  async start(): Promise<void> {
    const { account, binaries } = this.#programs
    const settings = ['listen_addresses=', 'shared_buffers=32MB', 'fsync=off', 'wal_keep_size=512MB', 'timezone=UTC']
    const options = ['-D', this.cluster, '-k', this.#folder, '-p', String(this.#port)]
    this.#child = spawn(binaries.postgres, [...options, ...settings.flatMap((each) => ['-c', each])], {
      ...account,
      cwd: '/',
      env: ENVIRONMENT,
      stdio: 'ignore',
    })
    await eventually('PostgreSQL answers', () => this.query('select 1').then(Boolean, () => false))
  }

  /** To all of its processes: SIGKILL is like a machine that fails, SIGSTOP like one that hangs. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child as ChildProcess
    const { stdout } = await run('ps', ['-o', 'pid=', '--ppid', String(child.pid)])
    for (const pid of [child.pid as number, ...stdout.split('\n').filter(Boolean).map(Number)]) {
      try {
        process.kill(pid, signal)
      } catch {
        // It has ended already.
      }
    }
  }

  /** A standby that streams from another primary from now on. */
  async follow(primary: TestPostgres): Promise<void> {
    await this.query(`alter system set primary_conninfo = '${primary.connectionInfo}'`)
    await this.query('select pg_reload_conf()')
  }

  async kill(): Promise<void> {
    const ended = once(this.#child as ChildProcess, 'exit')
    await this.signal('SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    await ended
  }

  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ ...this.connection, connectionTimeoutMillis: LONGEST_WAIT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
}

export interface ReplicatedPostgres {
  primary: TestPostgres
  replica: TestPostgres
  /** Another standby of the primary. */
  second: TestPostgres
  /** A PostgreSQL that has nothing to do with these, not running yet. */
  another(): Promise<TestPostgres>
  close(): Promise<void>
}

/** A primary and two standbys that stream from it; all are copies of one cluster that was never run. */
export async function startReplicated(): Promise<ReplicatedPostgres> {
  const folder = await temporaryFolder()
  const account = await existingAccount()
  const programs = { account, binaries: await findBinaries(account) }
  const made: TestPostgres[] = []
  const place = async (name: string): Promise<TestPostgres> => {
    const own = join(folder, name)
    await makeFolder(own, account)
    const server = new TestPostgres(programs, own, 5440 + made.length)
    made.push(server)
    return server
  }
  const create = async (name: string) => {
    const server = await place(name)
    await initialise(programs, server.cluster)
    await setPassword(programs, server.cluster, PASSWORD)
    return server
  }
  const primary = await create('primary')
  const [replica, second] = [await place('replica'), await place('second')]
  for (const standby of [replica, second]) {
    await run('cp', ['-a', primary.cluster, standby.cluster])
    await makeStandby(standby, primary, account)
  }
  await primary.start()
  await Promise.all([replica.start(), second.start()])
  return {
    primary,
    replica,
    second,
    another: () => create('another'),
    close: async () => {
      for (const server of made.reverse()) await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function makeStandby(replica: TestPostgres, primary: TestPostgres, account: Account | undefined): Promise<void> {
  const signal = join(replica.cluster, 'standby.signal')
  await writeFile(signal, '')
  if (account) await chown(signal, account.uid, account.gid)
  const settings = [`primary_conninfo = '${primary.connectionInfo}'`, 'wal_retrieve_retry_interval = 200ms']
  await appendFile(join(replica.cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
}

async function makeFolder(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  if (account) await chown(folder, account.uid, account.gid)
}
