import type { EnvironmentId, Queryable } from './queryable.ts'

/** A PostgreSQL of a Citus cluster that holds environments. */
export interface WorkerAnswer {
  address: string
  answers: boolean
}

/** Asks every worker at the same time. One that refuses connections is an answer, not an error. */
export async function askWorkers(db: Queryable): Promise<WorkerAnswer[]> {
  return await db.query<WorkerAnswer>(
    `select nodename || ':' || nodeport as address, success as answers
       from run_command_on_workers('select 1')
      order by 1`,
    [],
  )
}

interface WorkerEnvironments {
  address: string
  ids: EnvironmentId[]
}

/** Which worker holds which environments. The coordinator knows it by itself. */
async function listByWorker(db: Queryable): Promise<WorkerEnvironments[]> {
  return await db.query<WorkerEnvironments>(
    `select nodename || ':' || nodeport as address, array_agg(environments.id) as ids
       from environments
       join pg_dist_placement as placement
         on placement.shardid = get_shard_id_for_distribution_column('environment_anchors', environments.id)
       join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
      group by 1
      order by 1`,
    [],
  )
}

/** The condition that a column has one of the environments that are measured. */
export type InScope = (column: string) => string

export interface Measured<T> {
  parts: T[]
  /** The workers whose environments could not be measured. */
  unreachable: string[]
}

/**
 * Measures all environments by one statement. On a cluster such a statement fails while any worker is unreachable. Then the
 * environments of each worker are measured by themselves. It fails when none can be measured.
 */
export async function measureByWorker<T>(
  db: Queryable,
  measure: (inScope: InScope) => Promise<T>,
): Promise<Measured<T>> {
  try {
    return { parts: [await measure(() => 'true')], unreachable: [] }
  } catch (error) {
    if (!db.isDistributed) throw error
    const measured = await measureEachWorker(db, measure)
    if (measured.parts.length === 0) throw error
    return measured
  }
}

async function measureEachWorker<T>(db: Queryable, measure: (inScope: InScope) => Promise<T>): Promise<Measured<T>> {
  const workers = await listByWorker(db)
  // In the text, because Citus has to know the environments when it chooses the shards.
  const scopeOf = (ids: readonly EnvironmentId[]) => (column: string) => `${column} = any('{${ids.join()}}'::int[])`
  const results = await Promise.allSettled(workers.map(({ ids }) => measure(scopeOf(ids))))
  return {
    parts: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    unreachable: workers.filter((_, index) => results[index]?.status === 'rejected').map(({ address }) => address),
  }
}
