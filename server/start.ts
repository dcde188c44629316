import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createFirstAccount } from './accounts/bootstrap.ts'
import { createApp } from './app.ts'
import { type Config, isLoopbackHost } from './config.ts'
import { migrate } from './database/migrate.ts'
import { connect, startPostgres } from './database/open.ts'
import { createLog } from './log.ts'
import { createServices } from './services.ts'
import { StartupError } from './startup-error.ts'
import { Webhooks } from './webhooks/webhooks.ts'

/** Runs the server until it is told to stop. */
export async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  await checkPort(config)
  const postgres = await startPostgres(config, log)
  try {
    const { from, to } = await migrate(postgres.connection)
    if (from !== to) log.info({ from, to }, 'the database schema is up to date')
    const database = connect(postgres.connection, config.databaseConnections)
    const webhooks = new Webhooks(config, database, log)
    const services = createServices(database, log, { webhooks })
    const firstKey = await createFirstAccount(database, config.firstApiKey)
    await services.keyring.start()
    await webhooks.start()
    const app = createApp(config, services, log)
    try {
      await app.listen({ host: config.host, port: config.port })
    } finally {
      announce(config, app, firstKey)
    }
    const stop = async () => {
      await app.close()
      await webhooks.stop()
      services.keyring.stop()
      await database.close()
      await postgres.stop()
    }
    stopOnSignal(stop, (error) => log.error({ err: error }, 'could not stop cleanly'))
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

/** Before anything is started: a port that is taken should not cost a database start, and leave nothing behind. */
async function checkPort({ host, port }: Config): Promise<void> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(portProblem(error, host, port)))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve()))
  })
}

function portProblem(error: NodeJS.ErrnoException, host: string, port: number): Error {
  if (error.code === 'EADDRINUSE')
    return new StartupError(`Port ${port} on ${host} is in use: stop what uses it, or set PORT to another.`)
  if (error.code === 'EACCES') return new StartupError(`Port ${port} needs more rights: set PORT to one above 1023.`)
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new StartupError(`HOST=${host} is not an address of this machine.`)
  return error
}

function announce(config: Config, app: FastifyInstance, firstKey: string | undefined): void {
  const { port } = (app.server.address() as AddressInfo | null) ?? config
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const address =
    config.baseUrl ?? `${config.tls ? 'https' : 'http'}://${isLoopbackHost(config.host) ? host : 'localhost'}:${port}`
  const lines = [`Usher is ready at ${address}`]
  if (firstKey !== undefined && config.firstApiKey === undefined) {
    lines.push(
      '',
      'The API key of the environment Production, shown only this once:',
      `  ${firstKey}`,
      '',
      'Try it:',
      `  curl ${address}/users -H 'Authorization: Bearer ${firstKey}' -H 'Content-Type: application/json' -d '{"id":"u_1","attributes":{"name":"Ada"}}'`,
      '',
    )
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}

function stopOnSignal(stop: () => Promise<void>, onError: (error: unknown) => void): void {
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      stop().then(
        () => process.exit(0),
        (error) => {
          onError(error)
          process.exit(1)
        },
      )
    })
  }
}
