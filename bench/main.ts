import { Bench } from './bench.ts'
import { HELP, readOptions } from './options.ts'
import { Progress } from './progress.ts'
import { writeDocument } from './report/document.ts'
import { describeMachine, machineLines } from './report/machine.ts'
import { profileSummary } from './report/profile.ts'
import { terminalTable } from './report/table.ts'
import { verdict } from './rows/row.ts'
import { chooseRows, runRows } from './run.ts'

/** `npm run bench`: measures every row and prints the table. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.help) return void process.stdout.write(HELP)
  const chosen = chooseRows(options)
  const progress = new Progress()
  const bench = await Bench.open(options, (text) => progress.say(text))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void bench.close().finally(() => process.exit(1)))
  }
  const machine = describeMachine(bench.folder, bench.postgres)
  const results = await runRows(bench, chosen, progress).finally(() => bench.close())
  progress.end()
  if (options.json) {
    const listed = results.map(({ row, ...rest }) => ({ name: row.name, work: row.work, target: row.target, ...rest }))
    const judged = listed.map((each, index) => ({
      ...each,
      verdict: verdict(results[index] as (typeof results)[number]),
    }))
    process.stdout.write(`${JSON.stringify({ machine, results: judged }, null, 2)}\n`)
  } else {
    process.stdout.write(`${machineLines(machine).join('\n')}\n\n${terminalTable(results)}`)
  }
  if (options.profile !== undefined) process.stderr.write(await profileSummary(options.profile))
  if (options.write) await writeDocument(results, machine, new Date())
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack ?? error}\n`)
  process.exit(1)
})
