import { CONNECTIONS, compare } from '../compare.ts'
import { EVENT } from './requests.ts'
import type { Row } from './row.ts'

export const connectionsRow: Row = {
  name: 'connections',
  work: 'POST /events on 1,024 connections against 64, no errors',
  target: { least: 0.9 },
  measure: async (bench) => {
    const { server, database } = await bench.site()
    const side = (connections: number) => ({
      port: server.port,
      pid: server.pid,
      database,
      traffic: EVENT,
      connections,
    })
    const comparison = await compare(bench, side(1_024), side(CONNECTIONS))
    return { value: comparison.ratio, comparison, note: 'the yardstick is the same server with 64 connections' }
  },
}
