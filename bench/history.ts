import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findFigures, findRuns } from '../server/results/queries.ts'
import { sumRuns } from '../server/results/sum.ts'
import { fillUsers } from './fill.ts'
import { fillSessions, sessionBytes } from './fill-sessions.ts'
import { median } from './median.ts'
import { BenchPostgres } from './postgres.ts'
import { ENVIRONMENT, seed, withDatabase } from './seed.ts'
import { UsherServer } from './server.ts'
import { userId } from './traffic.ts'

/**
 * `npm run bench:history -- --users 1000000 --sessions 10000000`: what decisions, claims, lists and results take beside many
 * sessions that are over, against a hundredth of them. A million sessions take about 0.8 GB of disk.
 */

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    sessions: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '200' },
  },
})
const [users, sessions, requests] = [Number(values.users), Number(values.sessions), Number(values.requests)]
const SEEDED = 1_000
const SMALLER = 100

const write = (text: string) => void process.stdout.write(`${text}\n`)
const folder = await mkdtemp(join(tmpdir(), 'usher-history-'))
const postgres = await BenchPostgres.embedded(join(folder, 'postgres'))
try {
  const small = await measure(Math.max(SEEDED, users / SMALLER), sessions / SMALLER)
  const large = await measure(users, sessions)
  for (const [work, ms] of Object.entries(large)) {
    const before = small[work] as number
    write(`${work.padEnd(44)} ${before.toFixed(2)} ms, ${ms.toFixed(2)} ms: ${(ms / before).toFixed(2)}`)
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function measure(userCount: number, sessionCount: number): Promise<Record<string, number>> {
  const database = await postgres.createDatabase()
  await seed(database, SEEDED, 0, userCount / SEEDED)
  if (userCount > SEEDED) await fillUsers(database, SEEDED, userCount / SEEDED, userCount)
  const server = await UsherServer.start({ environment: { DATABASE_URL: database } })
  try {
    const contentId = await publish(server)
    await fillSessions(database, contentId, sessionCount, userCount)
    await withDatabase(database, (db) => sumRuns(db))
    write(`${userCount} users, ${sessionCount} sessions: ${await sessionBytes(database)}`)
    const someone = () => userId(Math.floor(Math.random() * userCount))
    const post = (path: string, body: () => object) => timed(() => answered(server, 'POST', path, body()))
    const get = (path: () => string) => timed(() => answered(server, 'GET', path()))
    return {
      'POST /decisions': await post('/decisions', () => ({ user_id: someone() })),
      'POST /content_sessions': await post('/content_sessions', () => ({
        ...{ content: 'tour', user_id: someone(), holder: 'phone', reason: 'manual' },
      })),
      'GET /content_sessions of a user': await get(() => `/content_sessions?user_id=${someone()}`),
      'GET /content_sessions of a content': await get(() => `/content_sessions?content_id=${contentId}&limit=100`),
      'results of a content': await withDatabase(database, (db) => timed(() => findRuns(db, ENVIRONMENT, contentId))),
      'figures of all content': await withDatabase(database, (db) => timed(() => findFigures(db, ENVIRONMENT))),
    }
  } finally {
    await server.stop()
    await postgres.dropDatabase(database)
  }
}

async function publish(server: UsherServer): Promise<string> {
  const buttons = [{ label: 'Done', do: [{ end: 'completed' }] }]
  const steps = [{ key: 'hello', type: 'dialog', blocks: [{ heading: 'Hello' }], buttons }]
  const who = { not: { event: 'project_created' } }
  const when = { frequency: 'always' }
  const { id } = await answered(server, 'POST', '/content', {
    key: 'tour',
    type: 'flow',
    name: 'Tour',
    who,
    when,
    steps,
  })
  await answered(server, 'POST', `/content/${id}/publish`, {})
  return id as string
}

async function answered(server: UsherServer, method: string, path: string, body?: object): Promise<{ id?: string }> {
  const response = await server.call(method, path, body)
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** The median of one after the other. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let number = 0; number < requests; number += 1) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return median(times)
}
