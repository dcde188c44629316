import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import type { PlanName } from '../../contract/plans.ts'
import { insertEnvironment } from '../../server/accounts/environment-queries.ts'
import { insertKey } from '../../server/accounts/key-queries.ts'
import { hashKey, keyHints, newKey } from '../../server/accounts/keys.ts'
import { insertAccount, raiseRevision } from '../../server/accounts/queries.ts'
import { DatabaseClock } from '../../server/database/clock.ts'
import type { Database, EnvironmentId } from '../../server/database/database.ts'
import { TIMEOUTS } from '../../server/http/timeouts.ts'
import { createApp } from '../../server/process/app.ts'
import { startBackground, stopBackground } from '../../server/process/background.ts'
import { createServices, type Services } from '../../server/services.ts'
import { type Config, readConfig } from '../../server/settings/config.ts'
import { Webhooks } from '../../server/webhooks/webhooks.ts'
import { createTestDatabase, LONGEST_WAIT_MS, type TestDatabase } from './database.ts'
import { uniqueName } from './postgres.ts'
import { Client } from './requests.ts'

export interface TestServer {
  url: string
  port: number
  environmentId: EnvironmentId
  key: string
  /** Of a second environment of the same account. */
  otherEnvironmentKey: string
  client: Client
  otherClient: Client
  services: Services
  database: Database
  connection: TestDatabase['connection']
  databaseUrl: string
  close(): Promise<void>
}

export interface TestServerOptions {
  plan?: PlanName
  config?: Partial<Config>
  /** The authority that signed the certificate of `config.tls`. */
  ca?: string
}

/** However busy the machine is, no request is given up, and nothing refused for its wait. These limits have tests of their own. */
const PATIENT = { ...TIMEOUTS, headersMs: LONGEST_WAIT_MS, requestMs: LONGEST_WAIT_MS, answerMs: LONGEST_WAIT_MS }

/** The whole service in this process, on a real port and a database of its own. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  return await serve(await createTestDatabase(), options)
}

async function serve(
  test: TestDatabase,
  { plan = 'self_hosted', config: overrides = {}, ca }: TestServerOptions,
): Promise<TestServer> {
  const { database } = test
  const config = { ...readConfig({ PORT: '0', USHER_LOG_LEVEL: 'silent' }), ...overrides }
  const [{ environmentId, key }, other] = await createAccount(database, plan)
  const log = pino({ level: 'silent' })
  const clock = new DatabaseClock()
  const webhooks = new Webhooks(config, database, log, { databaseClock: clock })
  const services = createServices(database, log, { webhooks, now: clock.now, mostWaitMs: LONGEST_WAIT_MS })
  // One after the other: at once they open more connections than most tests need.
  await services.keyring.start()
  await webhooks.start()
  await startBackground(services)
  const app = createApp(config, services, log, PATIENT)
  await app.listen({ host: config.host, port: config.port })
  const { port } = app.server.address() as AddressInfo
  const url = `${config.tls ? 'https' : 'http'}://${config.host}:${port}`
  const client = new Client(url, key, ca)
  const otherClient = new Client(url, other.key, ca)
  const close = async () => {
    await Promise.all([client.close(), otherClient.close()])
    await Promise.all([app.close(), webhooks.stop()])
    services.keyring.stop()
    await stopBackground(services)
    await services.rateLimiter.stop()
    await test.close()
  }
  return {
    url,
    port,
    environmentId,
    key,
    otherEnvironmentKey: other.key,
    client,
    otherClient,
    services,
    database,
    connection: test.connection,
    databaseUrl: test.url,
    close,
  }
}

interface Environment {
  environmentId: EnvironmentId
  key: string
}

/** An account with two environments, each with a key. */
async function createAccount(database: Database, plan: PlanName): Promise<[Environment, Environment]> {
  const at = new Date().toISOString()
  const account = await insertAccount(database, uniqueName('account'), plan, at)
  if (!account) throw new Error('no account')
  const environments = [
    await createKeyedEnvironment(database, account.id, 'Production', at),
    await createKeyedEnvironment(database, account.id, 'Staging', at),
  ] as const
  await raiseRevision(database)
  return [...environments]
}

export async function createKeyedEnvironment(
  database: Database,
  accountId: number,
  name: string,
  at: string,
): Promise<Environment> {
  const environmentId = await insertEnvironment(database, accountId, name, at)
  if (environmentId === undefined) throw new Error('no environment')
  const key = newKey()
  await insertKey(database, environmentId, { hash: hashKey(key), ...keyHints(key) }, at)
  return { environmentId, key }
}
