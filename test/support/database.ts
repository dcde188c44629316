import type pg from 'pg'
import { inject } from 'vitest'
import { Database } from '../../server/database/database.ts'
import { uniqueName } from './postgres.ts'
import { createDatabase, dropDatabase, setDefaults } from './servers.ts'

export { createEnvironment } from './environment.ts'

/** Longer than a test may take. */
export const LONGEST_WAIT_MS = 240_000

export interface TestDatabase {
  database: Database
  connection: pg.ClientConfig
  /** For a server in its own process. */
  url: string
  close(): Promise<void>
}

/** A database of this test's own, cloned from the migrated template. */
export async function createTestDatabase(settings: Record<string, string> = {}): Promise<TestDatabase> {
  return await create(inject('cluster').template, settings)
}

/** A database of this test's own without our schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return await create(undefined, {})
}

async function create(template: string | undefined, settings: Record<string, string>): Promise<TestDatabase> {
  const server = inject('postgres')
  const { servers, isDistributed } = inject('cluster')
  const name = uniqueName('test')
  await createDatabase(servers, name, template)
  if (isDistributed) await setDefaults(servers, name, settings)
  const connection = { ...server, database: name }
  const database = new Database({
    connection: { ...connection, connectionTimeoutMillis: LONGEST_WAIT_MS },
    connections: 8,
    statementTimeoutMs: 20_000,
    lockTimeoutMs: 5_000,
    settings,
    isDistributed,
  })
  const url = `postgres://${server.user}:${encodeURIComponent(server.password)}@/${name}?host=${encodeURIComponent(server.host)}&port=${server.port}`
  return {
    database,
    connection,
    url,
    close: async () => {
      await database.close()
      await dropDatabase(servers, name)
    },
  }
}
