import cluster from 'node:cluster'
import type { Logger } from 'pino'
import { startPostgres } from '../database/open.ts'
import { checkCertificate } from '../http/certificate.ts'
import { createLog } from '../log.ts'
import type { Config } from '../settings/config.ts'
import { checkPort } from './listen.ts'
import type { Starting } from './signals.ts'

/**
 * Starts the server. Its code is loaded while PostgreSQL starts in its own process: one after the other took 0.4 s longer on
 * two cores.
 */
export async function boot(config: Config, starting: Starting): Promise<void> {
  const log = await createLog(config.logLevel)
  if (cluster.isWorker) return await bootWorker(config, log, starting)
  starting.signal.addEventListener('abort', () => log.info({}, 'stopping before the start was complete …'))
  checkCertificate(config)
  await checkPort(config)
  const [postgres, server] = await Promise.all([
    startPostgres(config, log, starting.signal),
    import('./start.ts'),
    config.workers === 1 && import('./node.ts'),
  ])
  await server.start(config, log, postgres, starting)
}

async function bootWorker(config: Config, log: Logger, starting: Starting): Promise<void> {
  const [{ runAsWorker }, { onSignals }] = await Promise.all([import('./workers.ts'), import('./signals.ts')])
  const node = await runAsWorker(config, log)
  if (starting.signal.aborted) await node.stop()
  starting.signal.throwIfAborted()
  // A Ctrl-C reaches the workers and the first process, which sends SIGTERM to them: the second signal must not end a
  // worker before its requests.
  onSignals(starting, log, config, { ...node, endNow: () => {} })
}
