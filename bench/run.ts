import type { Bench } from './bench.ts'
import type { Options } from './options.ts'
import type { Progress } from './progress.ts'
import { rows } from './rows/index.ts'
import { notMeasured, type Result, type Row } from './rows/row.ts'

export function chooseRows({ only, full }: Options): Row[] {
  const unknown = only.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) {
    throw new Error(`There is no row ${unknown.join(', ')}. There are: ${rows.map(({ name }) => name).join(', ')}`)
  }
  return rows.filter((row) => (only.length > 0 ? only.includes(row.name) : full || !row.full))
}

/** One after the other. A row that breaks is not measured; the others still are. */
export async function runRows(bench: Bench, chosen: readonly Row[], progress: Progress): Promise<Result[]> {
  const results: Result[] = []
  for (const [index, row] of chosen.entries()) {
    if (bench.isClosing) throw new Error('interrupted')
    progress.row(row.name, index + 1, chosen.length)
    const measured = await row
      .measure(bench, results)
      .catch((error: Error) => notMeasured(`it broke: ${error.message.split('\n', 1)}`))
    results.push({ row, ...measured, peakMegabytes: await bench.endRow() })
  }
  return results
}
