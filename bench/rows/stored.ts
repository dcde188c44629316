import { type Bench, USERS } from '../bench.ts'
import { compare } from '../compare.ts'
import { seedEvents } from '../seed.ts'
import { EVENT } from './requests.ts'
import type { Measured, Row } from './row.ts'

/** The rows that compare POST /events on a full table with an empty one. */
export const storedRows: Row[] = [
  {
    name: 'stored-events',
    work: 'POST /events with 1 million events stored, against an empty table',
    target: { least: 0.8 },
    measure: (bench) => measure(bench, 1_000_000),
  },
  {
    name: 'stored-events-10-million',
    work: 'POST /events with 10 million events stored, against an empty table',
    target: { least: 0.8 },
    full: true,
    measure: (bench) => measure(bench, 10_000_000),
  },
]

async function measure(bench: Bench, events: number): Promise<Measured> {
  const full = await bench.postgres.createDatabase(await bench.template())
  bench.atEnd(() => bench.postgres.dropDatabase(full))
  bench.progress(`storing ${events} events`)
  await seedEvents(full, events, USERS)
  const [empty, stored] = [await bench.site(), await bench.siteOn(full)]
  const side = ({ server, database }: typeof empty) => ({
    port: server.port,
    pid: server.pid,
    database,
    traffic: EVENT,
  })
  const comparison = await compare(bench, side(stored), side(empty))
  return { value: comparison.ratio, comparison, note: 'the yardstick is the same server on an empty table' }
}
