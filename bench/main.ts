import { Bench } from './bench.ts'
import { HELP, type Options, readOptions } from './options.ts'
import { Progress } from './progress.ts'
import { writeDocument } from './report/document.ts'
import { describeMachine, type Machine, machineLines } from './report/machine.ts'
import { OtherProcesses } from './report/other-processes.ts'
import { profileSummary } from './report/profile.ts'
import { terminalTable } from './report/table.ts'
import { type Result, verdict } from './rows/row.ts'
import { chooseRows, runRows } from './run.ts'

/** `npm run bench`: measures every row and prints the table. */
async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.help) return void process.stdout.write(HELP)
  const { results, machine } = await measure(options)
  process.stdout.write(
    options.json ? jsonText(results, machine) : `${machineLines(machine).join('\n')}\n\n${terminalTable(results)}`,
  )
  if (options.profile !== undefined) process.stderr.write(await profileSummary(options.profile))
  if (options.write) await writeDocument(results, machine, new Date())
}

async function measure(options: Options): Promise<{ results: Result[]; machine: Machine }> {
  const chosen = chooseRows(options)
  const progress = new Progress()
  const bench = await Bench.open(options, (text) => progress.say(text))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void bench.close().finally(() => process.exit(130)))
  }
  try {
    const others = new OtherProcesses(bench.postgres.pid)
    const results = await runRows(bench, chosen, progress)
    return { results, machine: describeMachine(bench.folder, bench.postgres, options.generator, others.cores()) }
  } finally {
    await bench.close()
    progress.end()
  }
}

function jsonText(results: readonly Result[], machine: Machine): string {
  const listed = results.map((result) => {
    const { row, ...measured } = result
    return { name: row.name, work: row.work, target: row.target, verdict: verdict(result), ...measured }
  })
  return `${JSON.stringify({ machine, results: listed }, null, 2)}\n`
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack ?? error}\n`)
  process.exit(1)
})
