import type { Bench } from '../bench.ts'
import { CONNECTIONS } from '../compare.ts'
import { median } from '../median.ts'
import type { InsertAnswer, InsertQuestion } from '../processes/insert.ts'
import { EVENT } from './requests.ts'
import type { Measured, Row } from './row.ts'

export const loneRow: Row = {
  name: 'lone-event',
  work: 'median latency of one lone POST /events at a time, against a bare insert and commit through pg',
  target: { most: 3 },
  measure,
}

async function measure(bench: Bench): Promise<Measured> {
  const { server, database } = await bench.site()
  const inserter = bench.child<InsertQuestion, InsertAnswer>('insert')
  const { seconds, turns } = bench.options
  const post = () => bench.load.ask({ port: server.port, connections: 1, seconds, traffic: EVENT })
  const insert = () => inserter.ask({ url: database, seconds })
  // Warms up the server: with one request at a time it would take minutes until its code is compiled.
  await bench.load.ask({ port: server.port, connections: CONNECTIONS, seconds, traffic: EVENT })
  await post()
  await insert()
  const pairs: { ours: number; bare: number }[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    bench.progress(`turn ${turn + 1} of ${turns}`)
    pairs.push({ ours: (await post()).p50Ms, bare: (await insert()).p50Ms })
  }
  const shown = (side: 'ours' | 'bare') => median(pairs.map((pair) => pair[side])).toFixed(2)
  return {
    value: median(pairs.map(({ ours, bare }) => ours / bare)),
    note: `${shown('ours')} ms against ${shown('bare')} ms`,
  }
}
