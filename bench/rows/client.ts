import type { Bench } from '../bench.ts'
import { median } from '../median.ts'
import type { CallerAnswer, CallerQuestion } from '../processes/caller.ts'
import type { Measured, Row } from './row.ts'

/** The concurrency of a medium-sized back end. */
const CONCURRENCY = 8

export const clientRow: Row = {
  name: 'client',
  work: 'events.track by @usher/client, 8 at a time, against the same requests by bare undici',
  target: { least: 0.8 },
  measure,
}

async function measure(bench: Bench): Promise<Measured> {
  const { server } = await bench.site()
  const caller = bench.child<CallerQuestion, CallerAnswer>('caller')
  const { seconds, turns } = bench.options
  const run = (by: CallerQuestion['by']) => caller.ask({ by, url: server.address, concurrency: CONCURRENCY, seconds })
  await run('undici')
  await run('client')
  const pairs: { ours: CallerAnswer; bare: CallerAnswer }[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    bench.progress(`turn ${turn + 1} of ${turns}`)
    const [first, second] = turn % 2 === 0 ? (['client', 'undici'] as const) : (['undici', 'client'] as const)
    const answers = { [first]: await run(first), [second]: await run(second) } as Record<
      CallerQuestion['by'],
      CallerAnswer
    >
    pairs.push({ ours: answers.client, bare: answers.undici })
  }
  const micros = (side: 'ours' | 'bare') => median(pairs.map((pair) => pair[side].cpuMicros)).toFixed(0)
  const rate = (side: 'ours' | 'bare') => median(pairs.map((pair) => pair[side].perSecond)).toFixed(0)
  return {
    value: median(pairs.map(({ ours, bare }) => ours.perSecond / bare.perSecond)),
    note: `${rate('ours')} calls/s against ${rate('bare')}; ${micros('ours')} µs of CPU per call against ${micros('bare')} µs`,
  }
}
