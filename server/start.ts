import type { Logger } from 'pino'
import { createFirstAccount } from './accounts/bootstrap.ts'
import { announce, announceKey } from './announce.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { migrate } from './database/migrate.ts'
import { connect, type PostgresServer } from './database/open.ts'
import { listen } from './listen.ts'
import { createServices } from './services.ts'

/** Runs the server until it is told to stop. */
export async function start(config: Config, log: Logger, postgres: PostgresServer): Promise<void> {
  try {
    const { from, to } = await migrate(postgres.connection)
    if (from !== to) log.info({ from, to }, 'the database schema is up to date')
    const database = connect(postgres.connection, config.databaseConnections)
    const services = createServices(database, log, { maxActiveRequests: config.maxActiveRequests })
    const firstKey = await createFirstAccount(database, config.firstApiKey)
    await services.keyring.start()
    const shownKey = config.firstApiKey === undefined ? firstKey : undefined
    const app = createApp(config, services, log)
    await listen(app, config, log).catch((error) => {
      if (shownKey !== undefined) announceKey(shownKey)
      throw error
    })
    announce(config, app, shownKey)
    const stop = async () => {
      await app.close()
      services.keyring.stop()
      await services.rateLimiter.stop()
      await database.close()
      await postgres.stop()
    }
    stopOnSignal(stop, (error) => log.error({ err: error }, 'could not stop cleanly'))
  } catch (error) {
    await postgres.stop()
    throw error
  }
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
