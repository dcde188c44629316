import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import type pg from 'pg'
import { type Logger, pino } from 'pino'
import { insertEnvironment } from '../../server/accounts/environment-queries.ts'
import { insertKey } from '../../server/accounts/key-queries.ts'
import { hashKey, keyHints, newKey } from '../../server/accounts/keys.ts'
import { insertAccount } from '../../server/accounts/queries.ts'
import { Database, type Queryable } from '../../server/database/database.ts'
import { findTopology } from '../../server/database/topology.ts'
import { TIMEOUTS } from '../../server/http/timeouts.ts'
import { createApp } from '../../server/process/app.ts'
import type { Services } from '../../server/services.ts'
import { readConfig } from '../../server/settings/config.ts'
import { LONGEST_WAIT_MS, type TestDatabase } from './database.ts'
import { testServices } from './services.ts'

/**
 * For the rate limit its clock is fixed at ten seconds past a minute: a test that counts per minute stays in one minute. All
 * other statements have the real time.
 */
class StillDatabase extends Database {
  override async query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const isRateLimit = text.includes('rate_limits')
    return await super.query<Row>(
      isRateLimit ? text.replaceAll('clock_timestamp()', 'to_timestamp(1800000010)') : text,
      values,
    )
  }
}

export interface TestService {
  url: string
  port: number
  services: Services
  server: Server
  /** How many connections the server holds, open or half-closed. */
  connections(): Promise<number>
  close(): Promise<void>
}

/** The whole HTTP service inside the test's process, on its own port. */
export async function startService(
  { connection }: Pick<TestDatabase, 'connection'>,
  settings: NodeJS.ProcessEnv = {},
  logger: Logger = pino({ level: 'silent' }),
  timeouts = TIMEOUTS,
  /** The clock of the node. */
  now: () => number = Date.now,
): Promise<TestService> {
  const config = readConfig({ PORT: '0', ...settings })
  const database = new StillDatabase({
    connection: { ...connection, connectionTimeoutMillis: LONGEST_WAIT_MS },
    connections: 8,
    statementTimeoutMs: 20_000,
    lockTimeoutMs: 5_000,
    ...(await findTopology(connection)),
  })
  const services = testServices(database, {
    maxActiveRequests: config.maxActiveRequests,
    now,
  })
  await services.keyring.start()
  const app = createApp(config, services, logger, timeouts)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    services,
    server: app.server,
    connections: () => promisify(app.server.getConnections.bind(app.server))(),
    close: async () => {
      await app.close()
      services.keyring.stop()
      await Promise.all([services.rateLimiter.stop(), services.usage.stop()])
      await database.close()
    },
  }
}

let lastAccount = 0

/** A new account on this plan, and a key for each of its environments. */
export async function createKeys(database: Queryable, plan: string, environments: string[]): Promise<string[]> {
  lastAccount += 1
  const at = new Date().toISOString()
  const account = await insertAccount(database, `account with keys ${lastAccount}`, plan, at)
  const keys: string[] = []
  for (const name of environments) {
    const environmentId = await insertEnvironment(database, account?.id as number, name, at)
    const key = newKey()
    await insertKey(database, environmentId as never, { hash: hashKey(key), ...keyHints(key) }, at)
    keys.push(key)
  }
  return keys
}
