import type pg from 'pg'
import { counted } from '../counted.ts'
import { distributedTables } from '../database/tables.ts'
import { citusVersion, isShardedDatabase, readTopology } from '../database/topology.ts'
import { StartupError } from '../startup-error.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

/** The versions of Citus that were tested. */
const TRIED = ['13.0', '13.2']
/** An interrupted two-phase commit keeps the rows of its transaction locked until it is recovered. */
const LONGEST_RECOVERY_MS = 5_000

export interface WorkerState {
  address: string
  answers: boolean
  timeZone: string
  postgres: string
  citus: string
  preparedTransactions: number
  /** Whether PostgreSQL compiles the plans of large statements. */
  jit: boolean
}

/** No findings when the tables are on one PostgreSQL. */
export async function checkCluster(client: pg.ClientBase): Promise<Finding[]> {
  const version = await citusVersion(client)
  if (version === undefined || !(await isShardedDatabase(client))) return []
  try {
    await readTopology(client)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [problem('cluster', error.message, 'Until then the server does not start.')]
  }
  const workers = await readWorkers(client)
  const tables = ok(
    'cluster',
    `Citus ${version}, ${counted(workers.length, 'worker')}, ${distributedTables.length} tables distributed and colocated`,
  )
  return [
    tables,
    await checkRecovery(client),
    ...(await checkVersions(client, version, workers)),
    ...workers.flatMap(judgeWorker),
  ]
}

async function readWorkers(client: pg.ClientBase): Promise<WorkerState[]> {
  const { rows } = await client.query<{ address: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as address, success, result
       from run_command_on_workers($$
         select json_build_array(current_setting('timezone'), current_setting('server_version'),
                                 (select extversion from pg_extension where extname = 'citus'),
                                 current_setting('max_prepared_transactions')::int,
                                 current_setting('jit')::boolean)
       $$)`,
  )
  return rows.map(({ address, success, result }) => {
    const [timeZone, postgres, citus, preparedTransactions, jit] = success ? JSON.parse(result) : ['', '', '', 0, false]
    return { address, answers: success, timeZone, postgres, citus, preparedTransactions, jit }
  })
}

export function judgeWorker({ address, answers, timeZone, preparedTransactions, jit }: WorkerState): Finding[] {
  const check = `worker ${address}`
  if (!answers) return [problem(check, 'does not answer', 'Start it: the environments on it answer 503 until then.')]
  const findings: Finding[] = []
  if (timeZone !== 'UTC')
    findings.push(warning(check, `has the time zone ${timeZone}`, 'Set timezone = UTC in its postgresql.conf.'))
  if (preparedTransactions === 0)
    findings.push(
      problem(
        check,
        'has max_prepared_transactions = 0',
        'Set it to at least max_connections of the coordinator, and restart the worker.',
      ),
    )
  if (jit)
    findings.push(
      warning(
        check,
        'compiles the plans of large statements, which takes longer than the statements themselves',
        'Run on it: alter system set jit = off; select pg_reload_conf();',
      ),
    )
  return findings.length > 0 ? findings : [ok(check, 'answers')]
}

async function checkRecovery(client: pg.ClientBase): Promise<Finding> {
  const { rows } = await client.query<{ ms: number }>(
    `select setting::int as ms from pg_settings where name = 'citus.recover_2pc_interval'`,
  )
  return judgeRecovery(rows[0]?.ms ?? 0)
}

/** 0 or less is never. */
export function judgeRecovery(ms: number): Finding {
  const finding = `a two-phase commit that was cut off is recovered after ${ms / 1_000} s`
  if (ms > 0 && ms <= LONGEST_RECOVERY_MS) return ok('recovery', finding)
  return warning(
    'recovery',
    ms > 0 ? finding : 'two-phase commits that were cut off are not recovered',
    `Run on the coordinator: alter system set citus.recover_2pc_interval = '5s'; select pg_reload_conf(); Until then writes of the same user or group answer 503 for so long.`,
  )
}

async function checkVersions(
  client: pg.ClientBase,
  citus: string,
  workers: readonly WorkerState[],
): Promise<Finding[]> {
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  return judgeVersions(rows[0]?.server_version as string, citus, workers)
}

export function judgeVersions(postgres: string, citus: string, workers: readonly WorkerState[]): Finding[] {
  const other = workers.filter((worker) => worker.answers && (worker.postgres !== postgres || worker.citus !== citus))
  const findings = other.map((worker) =>
    problem(
      `worker ${worker.address}`,
      `has PostgreSQL ${worker.postgres} and Citus ${worker.citus}, the coordinator ${postgres} and ${citus}`,
      'Bring all servers of the cluster to the same versions.',
    ),
  )
  if (!TRIED.some((tried) => citus.startsWith(`${tried}-`)))
    findings.push(
      warning(
        'cluster',
        `Citus ${citus}; Usher was tried with ${TRIED.join(' and ')}`,
        `Run the tests on it (TEST_DISTRIBUTE=1).`,
      ),
    )
  return findings
}
