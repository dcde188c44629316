import { parseArgs } from 'node:util'
import { distributeAll } from '../drill/cluster.ts'
import { call, type ServerProcess, spawnServer } from '../test/support/process.ts'
import { median } from './median.ts'
import { Child } from './processes/child.ts'
import type { LoadAnswer, LoadQuestion } from './processes/load.ts'
import { EVENT, EXISTING_USER, GET_USER } from './rows/requests.ts'
import { KEY, type Traffic, userId } from './traffic.ts'

/**
 * `npm run bench:cluster -- --plain URL --cluster URL`: the throughput of distributed tables against that of one PostgreSQL.
 * Both databases have to be empty; the second is on the coordinator of a Citus cluster that knows its workers. The two
 * take turns (`--turns`, `--seconds` each), and the result is the median of the turns' ratios.
 */

const CONNECTIONS = 64
const USERS = 2_000
const USERS_PER_BATCH = 500

const work: Readonly<Record<string, Traffic>> = {
  'POST /events': { ...EVENT, users: USERS },
  'POST /users, known user': { ...EXISTING_USER, users: USERS },
  'GET /users/:id': { ...GET_USER, users: USERS },
  'GET /users?limit=100, every client another page': {
    method: 'GET',
    path: '/users?limit=100&starting_after=user_{n}',
    users: USERS,
  },
}

const { values } = parseArgs({
  options: {
    plain: { type: 'string' },
    cluster: { type: 'string' },
    seconds: { type: 'string', default: '4' },
    turns: { type: 'string', default: '5' },
  },
})
const [seconds, turnCount] = [Number(values.seconds), Number(values.turns)]
if (values.plain === undefined || values.cluster === undefined) throw new Error('--plain URL and --cluster URL')
await distributeAll(values.cluster)
const start = (url: string) => spawnServer({ DATABASE_URL: url, USHER_API_KEY: KEY, USHER_LOG_LEVEL: 'error' })
const [plain, cluster] = [await start(values.plain), await start(values.cluster)]
const load = new Child<LoadQuestion, LoadAnswer>(new URL('./processes/wrk.ts', import.meta.url))

async function createUsers(server: ServerProcess): Promise<void> {
  for (let first = 0; first < USERS; first += USERS_PER_BATCH) {
    const ids = Array.from({ length: USERS_PER_BATCH }, (_, index) => userId(first + index))
    const operations = ids.map((id) => ({ method: 'POST', path: '/users', body: { id } }))
    const { status } = await call(server, 'POST', '/batch', { operations })
    if (status !== 200) throw new Error(`POST /batch answered ${status}`)
  }
}

async function rate({ url }: ServerProcess, traffic: Traffic): Promise<number> {
  const port = Number(new URL(url).port)
  const answer = await load.ask({ port, connections: CONNECTIONS, seconds, traffic })
  if (answer.failures > 0) throw new Error(answer.failure)
  return answer.requests / answer.seconds
}

try {
  await Promise.all([createUsers(plain), createUsers(cluster)])
  for (const [name, traffic] of Object.entries(work)) {
    // Warms up both servers.
    for (const server of [plain, cluster]) await rate(server, traffic)
    const turns: { one: number; many: number }[] = []
    for (let turn = 0; turn < turnCount; turn += 1)
      turns.push({ one: await rate(plain, traffic), many: await rate(cluster, traffic) })
    const [one, many] = [median(turns.map((turn) => turn.one)), median(turns.map((turn) => turn.many))]
    const ratio = median(turns.map((turn) => turn.many / turn.one))
    process.stdout.write(`${name}: ${Math.round(many)}/s against ${Math.round(one)}/s, ${ratio.toFixed(2)}\n`)
  }
} finally {
  await load.stop()
  await Promise.all([plain.end(), cluster.end()])
}
