import type pg from 'pg'
import { type MigratedVersions, migrateHere } from './migrate.ts'
import { openSession } from './session.ts'
import { readTopology, type Topology } from './topology.ts'

export interface ReadyTables {
  versions: MigratedVersions
  topology: Topology
}

/** Migrates the tables, and finds out how they are stored. One connection for both, and for what `check` refuses before. */
export async function readyTables(
  connection: pg.ClientConfig,
  check?: (client: pg.ClientBase) => Promise<void>,
): Promise<ReadyTables> {
  const client = await openSession(connection)
  try {
    await check?.(client)
    const versions = await migrateHere(client)
    return { versions, topology: await readTopology(client) }
  } finally {
    await client.end()
  }
}
