import pg from 'pg'
import type { Database } from '../database/database.ts'
import { connect } from '../database/open.ts'
import { PLAIN } from '../database/topology.ts'
import type { Log } from '../log.ts'
import type { Config } from '../settings/config.ts'
import { Replica } from './replica.ts'
import { Replicas } from './replicas.ts'

type Settings = Pick<Config, 'replicaUrls' | 'replicaMaxLagMs' | 'databaseConnections'>

/** Undefined when there are none. Each replica has its own pool, as large as that of the primary. */
export function openReplicas(settings: Settings, primary: Database, log: Log): Replicas | undefined {
  const { replicaUrls, replicaMaxLagMs, databaseConnections } = settings
  if (replicaUrls.length === 0) return undefined
  const replicas = replicaUrls.map((url) => {
    const database = connect({ connectionString: url }, databaseConnections, PLAIN)
    return new Replica(nameOfReplica(url), database, replicaMaxLagMs)
  })
  return new Replicas(primary, replicas, log)
}

/** The address without user and password. */
export function nameOfReplica(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url })
  return `${host}:${port}/${database}`
}
