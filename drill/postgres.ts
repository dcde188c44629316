import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { processTree } from '../bench/proc.ts'
import { type EmbeddedDatabase, startEmbedded } from '../server/database/embedded/index.ts'
import { temporaryFolder } from '../test/support/folder.ts'
import { silent } from '../test/support/log.ts'
import { distributeAll, findCluster } from './cluster.ts'
import type { Victim } from './victims.ts'

/** The database of the nodes: its URL, and what can be killed, by the names of `--kill`. */
export interface Backend {
  readonly url: string
  readonly victims: Readonly<Record<string, readonly Victim[]>>
  stop(): Promise<void>
}

const RECOVERY_MS = 180_000

/** A PostgreSQL of the drill's own, in a folder that is removed at the end. */
export async function ownPostgres(): Promise<Backend> {
  const folder = await temporaryFolder()
  const embedded = await startEmbedded(folder, silent)
  const { user, password, host, port, database } = embedded.connection
  const place = new URLSearchParams({ host, port: String(port) })
  const url = `postgres://${user}:${encodeURIComponent(password)}@/${database}?${place}`
  return {
    url,
    victims: { postgres: [new PostgresVictim(embedded, url)] },
    stop: async () => {
      await embedded.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * A given database. It has to be empty, and keeps what the drill has stored. A database of a Citus cluster is
 * distributed, and the servers of the cluster can be killed when they are on this machine.
 */
export async function givenDatabase(url: string): Promise<Backend> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select from pg_namespace where nspname = 'usher'`).finally(() => client.end())
  if (rows.length > 0)
    throw new Error('--database: has data of Usher; give the drill a database without the schema usher')
  const cluster = await findCluster(url)
  if (cluster) await distributeAll(url)
  return { url, victims: cluster ?? {}, stop: async () => {} }
}

/**
 * All processes of PostgreSQL at the same time, so that nothing of its shared memory is left; the supervisor starts it
 * again.
 */
class PostgresVictim implements Victim {
  readonly name = 'postgres'
  readonly #embedded: EmbeddedDatabase
  readonly #url: string
  #killed = 0

  constructor(embedded: EmbeddedDatabase, url: string) {
    this.#embedded = embedded
    this.#url = url
  }

  async kill(): Promise<void> {
    this.#killed = this.#embedded.pid
    for (const { pid } of processTree(this.#killed)) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {}
    }
  }

  async revive(): Promise<void> {
    const deadline = performance.now() + RECOVERY_MS
    while (!(await this.#serves())) {
      if (performance.now() > deadline) throw new Error('PostgreSQL did not come back after a kill')
      await sleep(50)
    }
  }

  async #serves(): Promise<boolean> {
    if (this.#embedded.pid === this.#killed) return false
    const client = new pg.Client({ connectionString: this.#url })
    client.on('error', () => {})
    return await client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }
}
