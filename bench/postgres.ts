import pg from 'pg'
import { startEmbedded } from '../server/database/embedded/index.ts'
import { databaseOf, withClient, withDatabaseName } from './address.ts'
import { HAS_PROC, statOf } from './proc.ts'

const nothing = () => {}
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing }

type Stop = (() => Promise<void>) | undefined

/** The PostgreSQL under the servers: an embedded one with the settings that every installation has, or the one given. */
export class BenchPostgres {
  readonly version: string
  readonly isEmbedded: boolean
  readonly fsync: string
  /** Of the postmaster, when it runs on this machine. */
  readonly pid: number | undefined
  readonly admin: pg.Client
  readonly #url: (database: string) => string
  readonly #stop: Stop
  readonly #databases: string[] = []
  #last = 0

  private constructor(admin: pg.Client, url: (database: string) => string, about: About, stop: Stop) {
    this.admin = admin
    this.#url = url
    this.version = about.version
    this.fsync = about.fsync
    this.isEmbedded = stop !== undefined
    this.pid = about.pid
    this.#stop = stop
  }

  static async embedded(folder: string): Promise<BenchPostgres> {
    // Loaded for the row that counts statements, and switched off for all others.
    const once = await startEmbedded(folder, silent)
    await withClient(once.connection, async (client) => {
      await client.query("alter system set shared_preload_libraries = 'pg_stat_statements'")
      await client.query("alter system set pg_stat_statements.track = 'none'")
    })
    await once.stop()
    const { connection, stop } = await startEmbedded(folder, silent)
    const { user, password, host, port } = connection
    const query = new URLSearchParams({ host, port: String(port) })
    const url = (database: string) => `postgres://${user}:${encodeURIComponent(password)}@/${database}?${query}`
    return await BenchPostgres.#open(url, 'postgres', stop)
  }

  static async at(address: string): Promise<BenchPostgres> {
    return await BenchPostgres.#open((database) => withDatabaseName(address, database), databaseOf(address), undefined)
  }

  static async #open(url: (database: string) => string, first: string, stop: Stop) {
    const admin = new pg.Client({ connectionString: url(first) })
    await admin.connect()
    return new BenchPostgres(admin, url, await about(admin), stop)
  }

  /** A database that is dropped at the end, new or a copy of another; returns its address. */
  async createDatabase(template?: string): Promise<string> {
    this.#last += 1
    const name = `usher_bench_${process.pid}_${this.#last}`
    const copied = template === undefined ? 'template1' : databaseOf(template)
    await this.admin.query(`create database ${name} template ${copied}`)
    this.#databases.push(name)
    return this.#url(name)
  }

  async dropDatabase(url: string): Promise<void> {
    const name = databaseOf(url)
    await this.admin.query(`drop database ${name} with (force)`)
    this.#databases.splice(this.#databases.indexOf(name), 1)
  }

  /** A checkpoint, so that the next measurement does not pay for earlier writes. */
  async settle(): Promise<void> {
    await this.admin.query('checkpoint').catch(() => {})
  }

  /**
   * The number of transactions so far. Writers are counted exactly by transaction ids, readers by the statistics of their
   * database, which lag by up to a second.
   */
  async transactions(url: string | undefined, ofWriters: boolean): Promise<number> {
    if (url === undefined) return Number.NaN
    const { rows } = ofWriters
      ? await this.admin.query<{ count: string }>('select pg_snapshot_xmax(pg_current_snapshot())::text as count')
      : await this.admin.query<{ count: string }>(
          'select xact_commit::text as count from pg_stat_database where datname = $1::text',
          [databaseOf(url)],
        )
    return Number(rows[0]?.count)
  }

  async stop(): Promise<void> {
    for (const name of this.#databases) await this.admin.query(`drop database if exists ${name} with (force)`)
    await this.admin.end()
    await this.#stop?.()
  }
}

interface About {
  version: string
  fsync: string
  pid: number | undefined
}

async function about(client: pg.Client): Promise<About> {
  const { rows } = await client.query<{ version: string; fsync: string; pid: number }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync, pg_backend_pid() as pid`,
  )
  const { version, fsync, pid } = rows[0] as { version: string; fsync: string; pid: number }
  const backend = HAS_PROC ? statOf(pid) : undefined
  return { version, fsync, pid: backend?.name.startsWith('postgres') ? backend.parent : undefined }
}
