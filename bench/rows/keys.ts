import type { Bench } from '../bench.ts'
import { compare } from '../compare.ts'
import type { Traffic } from '../traffic.ts'
import { EVENT } from './requests.ts'
import type { Measured, Row } from './row.ts'

/** What an Idempotency-Key costs: the answer is stored in the transaction of the write. */
export const keyRow: Row = {
  name: 'idempotency-key',
  work: 'POST /events, each with an Idempotency-Key of its own, against the same without',
  target: { least: 0.75 },
  measure,
}

const WITHOUT: Traffic = { ...EVENT, users: 'new' }
const WITH: Traffic = { ...WITHOUT, headers: 'idempotency-key: request-{n}\r\n' }

async function measure(bench: Bench): Promise<Measured> {
  const { server, database } = await bench.site()
  const side = (traffic: Traffic) => ({ port: server.port, pid: server.pid, database, traffic })
  const comparison = await compare(bench, side(WITH), side(WITHOUT))
  return { value: comparison.ratio, comparison, note: 'the yardstick is the same server, without keys' }
}
