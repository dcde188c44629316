import { countProbes } from '../../server/conditions/probe-queries.ts'
import { Probes } from '../../server/conditions/probes.ts'
import type { Queryable } from '../../server/database/database.ts'
import { withClient } from '../address.ts'
import type { Bench } from '../bench.ts'
import { cpuMicros } from '../proc.ts'
import { ENVIRONMENT, withDatabase } from '../seed.ts'
import type { Measured, Row } from './row.ts'

const EVENTS = 200_000
const PROBES = 60
const RUNS = 500

export const probesRow: Row = {
  name: 'probes',
  work: `${PROBES} probes of events in one statement, for a user with ${EVENTS.toLocaleString('en')} events: CPU time of PostgreSQL`,
  target: { most: 0.9, unit: 'ms' },
  measure,
}

async function measure(bench: Bench): Promise<Measured> {
  const database = await bench.postgres.createDatabase(await bench.template())
  bench.atEnd(() => bench.postgres.dropDatabase(database))
  await fill(database)
  const { text, values } = await statement()
  const micros = await withClient({ connectionString: database }, async (client) => {
    await client.query('set search_path = usher')
    await client.query('set plan_cache_mode = force_generic_plan')
    const run = async () => await client.query({ name: 'probes', text, values: [...values] })
    await run()
    const before = cpuMicros(bench.postgres.pid)
    for (let count = 0; count < RUNS; count += 1) await run()
    return (cpuMicros(bench.postgres.pid) - before) / RUNS
  })
  return { value: micros / 1_000 }
}

async function fill(url: string): Promise<void> {
  await withDatabase(url, async (database) => {
    await database.query(
      `insert into events (environment_id, id, name, user_id, attributes, time, created_at)
       select $1::int, gen_random_uuid(), 'name' || n % 40, 'busy', '{}', now() - n * interval '1 minute', now()
         from generate_series(1, ${EVENTS}) as n`,
      [ENVIRONMENT],
    )
    await database.query('vacuum (analyze) events', [])
  })
}

/** The statement of the server, and its values. A third of the names was never seen. */
async function statement(): Promise<{ text: string; values: readonly unknown[] }> {
  const probes = new Probes()
  for (let number = 0; number < PROBES; number += 1) probes.add({ event: `name${number}` })
  let sent: { text: string; values: readonly unknown[] } | undefined
  const query = async (text: string, values: readonly unknown[]) => {
    sent = { text, values }
    return []
  }
  const subject = { ownerId: 'busy', userId: 'busy' }
  await countProbes({ query } as unknown as Queryable, ENVIRONMENT, 'user', probes.list, [subject], Date.now())
  return sent as NonNullable<typeof sent>
}
