import type pg from 'pg'
import { openSession } from '../../server/database/session.ts'
import { newId } from '../../server/ids.ts'
import { answerParent } from './child.ts'

/** The yardstick for one lone request: one `insert` of an event at a time, committed, into a table like that of events. */

export interface InsertQuestion {
  url: string
  seconds: number
}

export interface InsertAnswer {
  inserts: number
  seconds: number
  p50Ms: number
  p99Ms: number
}

const INSERT = {
  name: 'insert',
  text: `insert into bare_events (environment_id, id, name, user_id, attributes, time, created_at)
         values ($1::int, $2::uuid, $3::text, $4::text, $5::jsonb, $6::timestamptz, $7::timestamptz)`,
}

let client: pg.Client | undefined

answerParent<InsertQuestion, InsertAnswer>(async ({ url, seconds }) => {
  client ??= await prepare(url)
  const latencies: number[] = []
  const started = performance.now()
  let now = started
  while (now - started < seconds * 1_000) {
    const at = new Date().toISOString()
    const attributes = '{"plan":"growth","seats":123,"billed":true}'
    await client.query({ ...INSERT, values: [1, newId(), 'project_created', 'user_00000123', attributes, at, at] })
    const ended = performance.now()
    latencies.push(ended - now)
    now = ended
  }
  const sorted = Float64Array.from(latencies).sort()
  return {
    inserts: sorted.length,
    seconds: (now - started) / 1_000,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
  }
})

async function prepare(url: string): Promise<pg.Client> {
  const connection = await openSession({ connectionString: url })
  await connection.query('create table bare_events (like events including all)')
  return connection
}
