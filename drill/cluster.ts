import { spawn } from 'node:child_process'
import { openSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { processTree } from '../bench/proc.ts'
import { distributeTables } from '../server/database/distribute.ts'
import { migrate } from '../server/database/migrate.ts'
import { openSession } from '../server/database/session.ts'
import type { Victim } from './victims.ts'

const RECOVERY_MS = 60_000
/** As many as two workers need. */
const SHARDS = 8

/** The servers of a Citus cluster on this machine, by role. Undefined when the database belongs to no cluster. */
export async function findCluster(url: string): Promise<Record<string, readonly Victim[]> | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query(`select to_regclass('pg_dist_node') is not null as citus`)
    if (!rows[0].citus) return undefined
    const nodes = await client.query<{ host: string; port: number; group: number }>(
      `select nodename as host, nodeport as port, groupid as group from pg_dist_node where noderole = 'primary' order by groupid`,
    )
    const servers = (isWorker: boolean) =>
      Promise.all(nodes.rows.filter(({ group }) => group > 0 === isWorker).map((node) => ServerVictim.find(url, node)))
    const [workers, coordinators] = [await servers(true), await servers(false)]
    return workers.length > 0 ? { worker: workers, coordinator: coordinators } : undefined
  } finally {
    await client.end()
  }
}

/** Makes the tables of an empty database, and distributes them. */
export async function distributeAll(url: string): Promise<void> {
  await migrate({ connectionString: url })
  const client = await openSession({ connectionString: url })
  await distributeTables(client, { shards: SHARDS })
  await client.end()
}

/** A PostgreSQL server on this machine that the drill has not started. It is killed and restarted with the same parameters. */
class ServerVictim implements Victim {
  readonly name: string
  readonly #connection: pg.ClientConfig
  readonly #folder: string
  readonly #program: string
  readonly #parameters: readonly string[]
  readonly #environment: NodeJS.ProcessEnv

  private constructor(name: string, connection: pg.ClientConfig, folder: string) {
    this.name = name
    this.#connection = connection
    this.#folder = folder
    const pid = postmasterOf(folder)
    this.#program = readlinkSync(`/proc/${pid}/exe`)
    this.#parameters = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1, -1)
    this.#environment = environmentOf(pid)
  }

  static async find(url: string, { host, port, group }: { host: string; port: number; group: number }) {
    const { user, password, database } = new pg.Client({ connectionString: url })
    const connection = { host, port, user, password: password ?? undefined, database } as pg.ClientConfig
    const client = new pg.Client(connection)
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory').finally(() => client.end())
    return new ServerVictim(
      group === 0 ? 'coordinator' : `worker ${group}`,
      connection,
      rows[0]?.data_directory as string,
    )
  }

  /** Kills all processes at the same time: if only the postmaster dies, backends finish their work. */
  async kill(): Promise<void> {
    const postmaster = postmasterOf(this.#folder)
    // It must not start another process before the kill.
    process.kill(postmaster, 'SIGSTOP')
    for (const { pid } of processTree(postmaster)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
    }
  }

  async revive(): Promise<void> {
    const { uid, gid } = statSync(this.#folder)
    const log = openSync(join(this.#folder, 'drill.log'), 'a', 0o600)
    const stdio: ['ignore', number, number] = ['ignore', log, log]
    const options = { cwd: this.#folder, env: this.#environment, uid, gid, detached: true, stdio }
    const deadline = performance.now() + RECOVERY_MS
    let child = spawn(this.#program, this.#parameters, options)
    while (!(await this.#serves())) {
      if (performance.now() > deadline) throw new Error(`${this.name} did not come back after a kill`)
      // The killed processes may still hold their files and the port.
      if (child.exitCode !== null) child = spawn(this.#program, this.#parameters, options)
      await sleep(100)
    }
    child.unref()
  }

  async #serves(): Promise<boolean> {
    const client = new pg.Client(this.#connection)
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/** Includes the home folder, where a worker looks for the certificates of its own connections. */
function environmentOf(pid: number): NodeJS.ProcessEnv {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  return Object.fromEntries(entries.map((entry) => [entry.split('=', 1)[0], entry.slice(entry.indexOf('=') + 1)]))
}

function postmasterOf(folder: string): number {
  return Number(readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')[0])
}
