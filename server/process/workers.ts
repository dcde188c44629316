import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { findTopology } from '../database/topology.ts'
import type { Log } from '../log.ts'
import { relayFigures } from '../metrics/workers.ts'
import type { Config } from '../settings/config.ts'
import type { ServerNode } from './node.ts'

/** `USHER_WORKERS=n`: n processes behind one port. They share nothing but the database, like nodes on n machines. */

interface WorkerOptions {
  connection: ClientConfig
  port: number
}
interface Ready {
  port: number
}

const AFTER_A_CRASH_MS = 500

/**
 * In the first process: starts the workers, and replaces one that ends without a stop signal. The signal may also come
 * during the start.
 */
export async function runWorkers(
  config: Config,
  log: Log,
  connection: ClientConfig,
  starting: AbortSignal,
): Promise<ServerNode> {
  const workers = new Workers(config.port, log, connection, starting)
  relayFigures(() => workers.ready)
  try {
    // With port 0, the first worker determines the port.
    await workers.start()
    await Promise.all(Array.from({ length: config.workers - 1 }, () => workers.start()))
  } catch (error) {
    await workers.stop()
    throw error
  }
  return {
    port: workers.port,
    stop: () => workers.stop(),
    reloadCertificate: async () => workers.signal('SIGHUP'),
    endNow: () => {
      workers.signal('SIGKILL')
      process.exit(1)
    },
  }
}

class Workers {
  readonly ready = new Set<Worker>()
  port: number
  readonly #log: Log
  readonly #connection: ClientConfig
  readonly #starting: AbortSignal
  #stopped = false

  constructor(port: number, log: Log, connection: ClientConfig, starting: AbortSignal) {
    this.port = port
    this.#log = log
    this.#connection = connection
    this.#starting = starting
  }

  /** Resolves when the new worker serves requests. */
  async start(): Promise<void> {
    const worker = cluster.fork()
    const options: WorkerOptions = { connection: this.#connection, port: this.port }
    // With a callback: the failure of a send would end this process. `readiness` sees the end of the worker.
    worker.once('online', () => worker.send(options, () => {}))
    this.port = (await readiness(worker)).port
    this.ready.add(worker)
    worker.once('exit', (code, signal) => {
      this.ready.delete(worker)
      if (this.#isStopping()) return
      this.#log.error({ code, signal }, 'a worker ended; another takes its place')
      void this.#replace()
    })
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.all(all().map((worker) => end(worker)))
  }

  signal(name: NodeJS.Signals): void {
    for (const worker of all()) worker.process.kill(name)
  }

  #isStopping(): boolean {
    return this.#stopped || this.#starting.aborted
  }

  async #replace(): Promise<void> {
    for (;;) {
      await sleep(AFTER_A_CRASH_MS)
      if (this.#isStopping()) return
      try {
        return await this.start()
      } catch (error) {
        this.#log.error({ err: error }, 'could not replace a worker')
      }
    }
  }
}

function all(): Worker[] {
  return Object.values(cluster.workers ?? {}) as Worker[]
}

/** Other messages may arrive before it: a worker serves requests shortly before it reports that it is ready. */
async function readiness(worker: Worker): Promise<Ready> {
  return await new Promise((resolve, reject) => {
    worker.on('message', (message: Partial<Ready>) => {
      if (message.port !== undefined) resolve({ port: message.port })
    })
    worker.once('exit', () => reject(new Error('a worker could not start')))
  })
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return
  const ended = once(worker, 'exit')
  worker.process.kill('SIGTERM')
  await ended
}

/** In a worker: waits for the port and the database connection from the first process. It ends when the first process does. */
export async function runAsWorker(config: Config, log: Logger): Promise<ServerNode> {
  const [[{ connection, port }], { runNode }] = await Promise.all([
    once(process, 'message') as Promise<[WorkerOptions]>,
    import('./node.ts'),
  ])
  const node = await runNode({ ...config, port }, log, connection, await findTopology(connection))
  process.send?.({ port: node.port } satisfies Ready)
  process.on('disconnect', () => void node.stop().finally(() => process.exit(0)))
  return node
}
