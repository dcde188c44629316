import { type Comparison, compare } from '../compare.ts'
import { HAS_PROC, processTree } from '../proc.ts'
import { EVENT } from './requests.ts'
import { notMeasured, type Row } from './row.ts'

export const workersRow: Row = {
  name: 'workers',
  work: 'POST /events with USHER_WORKERS=2 against 1',
  target: { least: 1 },
  measure: async (bench) => {
    if (!HAS_PROC) return notMeasured('needs /proc')
    const two = await bench.site({ USHER_WORKERS: '2' })
    if (processTree(two.server.pid).length < 2) return notMeasured('USHER_WORKERS=2 started no second process')
    const one = await bench.site()
    const side = ({ server, database }: typeof one) => ({
      port: server.port,
      pid: server.pid,
      database,
      traffic: EVENT,
    })
    const comparison = await compare(bench, side(two), side(one), { leastTurns: 9 })
    return { value: comparison.ratio, comparison, note: fourCores(comparison) }
  },
}

/** An upper bound: it assumes constant CPU time per request and commits without cost. */
function fourCores({ ours }: Comparison): string {
  const micros = ours.serverMicros + ours.postgresMicros
  const here = Math.round(4e6 / (micros + ours.generatorMicros))
  return `by the CPU figures four cores carry at most ${here.toLocaleString('en')} requests/s with the load generator on them, ${Math.round(4e6 / micros).toLocaleString('en')} without`
}
