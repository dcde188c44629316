import { parseArgs } from 'node:util'
import { distributeAll } from '../drill/cluster.ts'
import { type ServerProcess, spawnServer } from '../test/support/process.ts'
import { median } from './median.ts'
import { Child } from './processes/child.ts'
import type { LoadAnswer, LoadQuestion } from './processes/load.ts'
import { EVENT, EXISTING_USER } from './rows/requests.ts'
import { KEY, type Traffic } from './traffic.ts'

/**
 * `npm run bench:cluster -- --plain URL --cluster URL`: the throughput of distributed tables against that of one PostgreSQL.
 * Both databases have to be empty; the second is on the coordinator of a Citus cluster that knows its workers. The two
 * take turns, and the result is the median of the turns' ratios.
 */

const CONNECTIONS = 64
const TURNS = 5
const SECONDS = 4
const USERS = 2_000

const work: Readonly<Record<string, Traffic>> = {
  'POST /events': { ...EVENT, users: USERS },
  'POST /users, known user': { ...EXISTING_USER, users: USERS },
}

const { values } = parseArgs({ options: { plain: { type: 'string' }, cluster: { type: 'string' } } })
if (values.plain === undefined || values.cluster === undefined) throw new Error('--plain URL and --cluster URL')
await distributeAll(values.cluster)
const start = (url: string) => spawnServer({ DATABASE_URL: url, USHER_API_KEY: KEY, USHER_LOG_LEVEL: 'error' })
const [plain, cluster] = [await start(values.plain), await start(values.cluster)]
const load = new Child<LoadQuestion, LoadAnswer>(new URL('./processes/wrk.ts', import.meta.url))

async function rate({ url }: ServerProcess, traffic: Traffic, seconds: number): Promise<number> {
  const port = Number(new URL(url).port)
  const answer = await load.ask({ port, connections: CONNECTIONS, seconds, traffic })
  if (answer.failures > 0) throw new Error(answer.failure)
  return answer.requests / answer.seconds
}

try {
  for (const [name, traffic] of Object.entries(work)) {
    // Creates every user and warms up both servers.
    for (const server of [plain, cluster]) await rate(server, traffic, SECONDS)
    const turns: { one: number; many: number }[] = []
    for (let turn = 0; turn < TURNS; turn += 1)
      turns.push({ one: await rate(plain, traffic, SECONDS), many: await rate(cluster, traffic, SECONDS) })
    const [one, many] = [median(turns.map((turn) => turn.one)), median(turns.map((turn) => turn.many))]
    const ratio = median(turns.map((turn) => turn.many / turn.one))
    process.stdout.write(`${name}: ${Math.round(many)}/s against ${Math.round(one)}/s, ${ratio.toFixed(2)}\n`)
  }
} finally {
  await load.stop()
  await Promise.all([plain.end(), cluster.end()])
}
