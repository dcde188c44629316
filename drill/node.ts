import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, spawnServer } from '../test/support/process.ts'
import type { Victim } from './victims.ts'

/** PostgreSQL may be down while a node starts. The node is started again for this long. */
const REVIVE_MS = 600_000

/** A server process of the drill. */
export class DrillNode implements Victim {
  readonly name: string
  readonly #environment: Record<string, string>
  #server: ServerProcess

  private constructor(name: string, environment: Record<string, string>, server: ServerProcess) {
    this.name = name
    this.#environment = environment
    this.#server = server
  }

  static async start(name: string, databaseUrl: string): Promise<DrillNode> {
    const environment = { DATABASE_URL: databaseUrl, USHER_LOG_LEVEL: 'error' }
    return new DrillNode(name, environment, await startServer(environment))
  }

  /** Also while the node is down: the client gets a connection error. */
  get url(): string {
    return this.#server.url
  }

  get key(): string {
    return this.#server.key
  }

  async kill(): Promise<void> {
    await this.#server.end('SIGKILL')
  }

  async revive(): Promise<void> {
    this.#server = await startServer(this.#environment)
  }

  async stop(): Promise<void> {
    await this.#server.end()
  }
}

/** Again and again, while PostgreSQL is down or slow. */
async function startServer(environment: Record<string, string>): Promise<ServerProcess> {
  const deadline = performance.now() + REVIVE_MS
  for (;;) {
    try {
      return await spawnServer(environment)
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}
