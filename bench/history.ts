import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findFigures, findRuns } from '../server/results/queries.ts'
import { sumRuns } from '../server/results/sum.ts'
import { temporaryFolder } from '../test/support/folder.ts'
import { fillUsers } from './fill.ts'
import { fillSessions, sessionBytes } from './fill-sessions.ts'
import { median } from './median.ts'
import { BenchPostgres } from './postgres.ts'
import { ENVIRONMENT, openDatabase, seed } from './seed.ts'
import { UsherServer } from './server.ts'
import { userId } from './traffic.ts'

/**
 * `npm run bench:history -- --users 1000000 --sessions 10000000`: what decisions, claims, lists and results take beside many
 * sessions that are over, against 10,000 of 1,000 users. A million sessions take about 0.8 GB of disk.
 */

const { values } = parseArgs({
  options: {
    users: { type: 'string', default: '100000' },
    sessions: { type: 'string', default: '1000000' },
    requests: { type: 'string', default: '200' },
  },
})
const [users, sessions, requests] = [Number(values.users), Number(values.sessions), Number(values.requests)]
type Work = () => Promise<unknown>

/** A database, its server, and what is measured there. */
interface Site {
  works: Record<string, Work>
  stop(): Promise<void>
}

const SEEDED = 1_000
const FEW_SESSIONS = 10_000

const write = (text: string) => void process.stdout.write(`${text}\n`)
const folder = await temporaryFolder()
const postgres = await BenchPostgres.embedded(join(folder, 'postgres'))
const sites: Site[] = []
try {
  sites.push(await prepare(SEEDED, FEW_SESSIONS), await prepare(users, sessions))
  for (const work of Object.keys((sites[0] as Site).works)) {
    const [small, large] = await inTurns(sites.map(({ works }) => works[work] as Work))
    write(`${work.padEnd(44)} ${small.toFixed(2)} ms, ${large.toFixed(2)} ms: ${(large / small).toFixed(2)}`)
  }
} finally {
  for (const site of sites) await site.stop()
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function prepare(userCount: number, sessionCount: number): Promise<Site> {
  const database = await postgres.createDatabase()
  await seed(database, SEEDED, 0, userCount / SEEDED)
  if (userCount > SEEDED) await fillUsers(database, SEEDED, userCount / SEEDED, userCount)
  const server = await UsherServer.start({ environment: { DATABASE_URL: database } })
  const contentId = await publish(server)
  await fillSessions(database, contentId, sessionCount, userCount)
  const db = openDatabase(database)
  await sumRuns(db)
  write(`${userCount} users, ${sessionCount} sessions: ${await sessionBytes(database)}`)
  const someone = () => userId(Math.floor(Math.random() * userCount))
  const claim = () => ({ content: 'tour', user_id: someone(), holder: 'phone', reason: 'manual' })
  const get = (path: string) => answered(server, 'GET', path)
  return {
    works: {
      'POST /decisions': () => answered(server, 'POST', '/decisions', { user_id: someone() }),
      'POST /content_sessions': () => answered(server, 'POST', '/content_sessions', claim()),
      'GET /content_sessions of a user': () => get(`/content_sessions?user_id=${someone()}`),
      'GET /content_sessions of a content': () => get(`/content_sessions?content_id=${contentId}&limit=100`),
      'results of a content': () => findRuns(db, ENVIRONMENT, contentId),
      'figures of all content': () => findFigures(db, ENVIRONMENT),
    },
    stop: async () => {
      await db.close()
      await server.stop()
      await postgres.dropDatabase(database)
    },
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

/** The medians, one after the other in turns: what else the machine does at a moment slows both. */
async function inTurns(works: readonly Work[]): Promise<[number, number]> {
  const times = works.map((): number[] => [])
  for (let number = 0; number < requests; number += 1)
    for (const [index, work] of works.entries()) {
      const begun = performance.now()
      await work()
      times[index]?.push(performance.now() - begun)
    }
  return times.map((each) => median(each)) as [number, number]
}
