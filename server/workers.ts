import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { relayFigures } from './metrics/workers.ts'
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

/** In the first process: starts the workers, and replaces one that ends without a stop signal, which may come during the start. */
export async function runWorkers(
  config: Config,
  log: Log,
  connection: ClientConfig,
  starting: AbortSignal,
): Promise<ServerNode> {
  let stopping = false
  const isStopping = () => stopping || starting.aborted
  let { port } = config
  const ready = new Set<Worker>()
  relayFigures(() => ready)
  const start = async (): Promise<void> => {
    const worker = cluster.fork()
    worker.once('online', () => worker.send({ connection, port } satisfies WorkerOptions))
    port = (await readiness(worker)).port
    ready.add(worker)
    worker.once('exit', (code, signal) => {
      ready.delete(worker)
      if (isStopping()) return
      log.error({ code, signal }, 'a worker ended; another takes its place')
      void sleep(AFTER_A_CRASH_MS).then(replace)
    })
  }
  const replace = async (): Promise<void> => {
    if (isStopping()) return
    await start().catch((error) => {
      log.error({ err: error }, 'could not replace a worker')
      return sleep(AFTER_A_CRASH_MS).then(replace)
    })
  }
  const all = () => Object.values(cluster.workers ?? {}) as Worker[]
  const stop = async () => {
    stopping = true
    await Promise.all(all().map((worker) => end(worker)))
  }
  try {
    // With port 0, the first worker determines the port.
    await start()
    await Promise.all(Array.from({ length: config.workers - 1 }, start))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    port,
    stop,
    reloadCertificate: async () => {
      for (const worker of all()) worker.process.kill('SIGHUP')
    },
    endNow: () => {
      for (const worker of all()) worker.process.kill('SIGKILL')
      process.exit(1)
    },
  }
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
  const node = await runNode({ ...config, port }, log, connection)
  process.send?.({ port: node.port } satisfies Ready)
  process.on('disconnect', () => void node.stop().finally(() => process.exit(0)))
  return node
}
