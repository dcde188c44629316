import type { ClientConfig } from 'pg'
import { connect } from '../database/open.ts'
import type { Topology } from '../database/topology.ts'
import type { Log } from '../log.ts'
import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'
import { examineReplica } from './examine.ts'

/** The log of the coordinator does not contain the commits of the workers. */
const SHARDED =
  'DATABASE_REPLICA_URL does not go with tables that are distributed by Citus: unset it. Lists are read from the workers.'

/**
 * Checks the replicas once at the start. A server that is not a copy of this database is refused as a wrong setting. A
 * replica that cannot be used now may recover: the server starts without it.
 */
export async function checkReplicas(
  { replicaUrls }: Config,
  primary: ClientConfig,
  topology: Topology,
  log: Log,
): Promise<void> {
  if (replicaUrls.length === 0) return
  if (topology.isDistributed) throw new StartupError(SHARDED)
  const database = connect(primary, 1, topology)
  try {
    const all = await Promise.all(replicaUrls.map((url) => examineReplica(database, url, 0)))
    for (const { name, verdict, reason } of all) {
      if (verdict === 'is of another database system') throw new StartupError(foreign(name))
      if (verdict === 'follows' || verdict === 'lags') continue
      const why = verdict === 'unreachable' ? `cannot be reached (${reason})` : verdict
      log.warn({ replica: name }, `the replica ${why}; it is left out, and tried again every half second`)
    }
  } finally {
    await database.close()
  }
}

function foreign(name: string): string {
  return `DATABASE_REPLICA_URL: ${name} is not a replica of the database of DATABASE_URL (its system identifier is another). Give the address of a streaming standby of it.`
}
