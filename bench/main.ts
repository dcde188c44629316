import { Bench } from './bench.ts'
import { HELP, readOptions } from './options.ts'
import { table } from './report/table.ts'
import { rows } from './rows/index.ts'
import type { Result } from './rows/row.ts'

/** `npm run bench`: measures every row and prints the table. */
const options = readOptions(process.argv.slice(2), process.env)
if (options.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const chosen = rows.filter((row) => (options.only.length > 0 ? options.only.includes(row.name) : options.full || !row.full))
const results: Result[] = []
const bench = await Bench.open(options, (text) => process.stderr.write(`${text}\n`))
try {
  for (const row of chosen) {
    process.stderr.write(`${row.name}\n`)
    const measured = await row.measure(bench, results)
    results.push({ row, ...measured, peakMegabytes: await bench.endRow() })
  }
} finally {
  await bench.close()
}
process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : table(results))
