import { againstBare, EVENT } from './requests.ts'
import type { Measured, Result, Row } from './row.ts'

/** The p99 of every request that was measured. The worst one counts. */
export const latencyRow: Row = {
  name: 'p99',
  work: "p99 at 64 connections against the yardstick's, the worst of the requests above",
  target: { most: 4 },
  measure: async (bench, earlier) => {
    const measured = earlier.filter(({ row }) => row.againstBare)
    if (measured.length > 0) return worst(measured)
    const comparison = await againstBare(bench, await bench.site(), EVENT)
    return { value: comparison.p99Ratio, comparison, note: 'of POST /events' }
  },
}

function worst(measured: readonly Result[]): Measured {
  const ratios = measured.flatMap(({ row, comparison }) =>
    comparison ? [{ name: row.name, ratio: comparison.p99Ratio }] : [],
  )
  return {
    value: Math.max(...ratios.map(({ ratio }) => ratio)),
    note: ratios.map(({ name, ratio }) => `${name} ${ratio.toFixed(1)}`).join(', '),
  }
}
