import type { Queryable } from '../database/database.ts'
import { type Examined, examineReplica } from '../replicas/examine.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** Whether each replica is one of this database, and follows it closely enough. */
export async function checkReplicas(primary: Queryable, urls: readonly string[], maxLagMs: number): Promise<Finding[]> {
  const all = await Promise.all(urls.map((url) => examineReplica(primary, url, maxLagMs)))
  return all.map((examined) => judgeReplica(examined, maxLagMs))
}

const MEANWHILE = 'Meanwhile lists are read from the primary.'

function judgeReplica({ name, verdict, reason }: Examined, maxLagMs: number): Finding {
  if (verdict === 'follows') return ok('replica', `${name} follows the primary`)
  if (verdict === 'unreachable') {
    return warning(
      'replica',
      `${name} cannot be reached: ${reason}`,
      `Bring it back, or check its address. ${MEANWHILE}`,
    )
  }
  if (verdict === 'lags') {
    const finding = `${name} has not replayed within ${maxLagMs} ms what the primary has`
    return warning('replica', finding, `Look at pg_stat_replication on the primary. ${MEANWHILE}`)
  }
  if (verdict === 'is on another timeline') {
    const advice = 'Let it follow the present primary; after that run CHECKPOINT there, or wait for one.'
    return warning('replica', `${name} ${verdict} than the primary`, `${advice} ${MEANWHILE}`)
  }
  return problem('replica', `${name} ${verdict}`, 'Set DATABASE_REPLICA_URL to streaming standbys of this database.')
}
