import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { CONNECTIONS } from '../compare.ts'
import { median } from '../median.ts'
import { HAS_PROC, residentMegabytes } from '../proc.ts'
import { EVENT, EXISTING_USER, LIST } from './requests.ts'
import { type Measured, notMeasured, type Result, type Row } from './row.ts'

export const memoryRows: Row[] = [
  {
    name: 'memory',
    work: 'memory of the server process under any of these without open streams',
    target: { most: 250, unit: 'MB' },
    measure: async (_bench, earlier) => largest(earlier.filter(({ row }) => !row.holdsStreams)),
  },
  {
    name: 'memory-streams',
    work: 'the same under those with open streams',
    target: { most: 450, unit: 'MB' },
    measure: async (_bench, earlier) => largest(earlier.filter(({ row }) => row.holdsStreams)),
  },
  {
    name: 'memory-ten-minutes',
    work: 'memory in the last of ten minutes of mixed load against the third',
    target: { most: 1.1 },
    full: true,
    measure: tenMinutes,
  },
]

function largest(earlier: readonly Result[]): Measured {
  const known = earlier.filter(({ peakMegabytes }) => peakMegabytes > 0)
  if (known.length === 0) return notMeasured('it is the most that any other row of the same run needed')
  const most = known.reduce((a, b) => (b.peakMegabytes > a.peakMegabytes ? b : a))
  return { value: most.peakMegabytes, note: `the most was needed by ${most.row.name}` }
}

const MINUTES = 10

async function tenMinutes(bench: Bench): Promise<Measured> {
  if (!HAS_PROC) return notMeasured('needs /proc')
  const { server } = await bench.site()
  const minutes: number[] = []
  for (let minute = 1; minute <= MINUTES; minute += 1) {
    bench.progress(`minute ${minute} of ${MINUTES}`)
    const samples: number[] = []
    for (const traffic of [EVENT, EXISTING_USER, LIST]) {
      const load = bench.load.ask({ port: server.port, connections: CONNECTIONS, seconds: 20, traffic })
      for (let sample = 0; sample < 9; sample += 1) {
        await sleep(2_000)
        samples.push(residentMegabytes(server.pid))
      }
      await load
    }
    minutes.push(median(samples))
  }
  const note = `MB by minute: ${minutes.map(Math.round).join(', ')}`
  return { value: (minutes.at(-1) as number) / (minutes[2] as number), note }
}
