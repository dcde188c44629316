import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { isTest, listNames, parseJson, readFolder } from './files.ts'
import { type Outcome, runCase, type TestCase } from './test-file.ts'

interface FileOutcome {
  file: string
  outcomes: Outcome[]
}

export const contentTest = command({
  summary: 'Run the files *.test.json of a folder through the engine, without a server; ends with 1 when one fails',
  parameters: ['FOLDER'],
  options: {},
  async run({ parameters: [folder] }) {
    const { files, problems } = await readFolder(folder)
    if (problems.length > 0) return { text: problems.join('\n'), json: { problems }, exitCode: 2 }
    const names = (await listNames(folder)).filter(isTest).sort()
    if (names.length === 0) throw new StartupError(`There is no test (*.test.json) in ${folder}.`)
    const documents = files.map(({ document }) => document)
    const results: FileOutcome[] = []
    for (const name of names) {
      const cases = casesOf(name, await readFile(join(folder, name), 'utf8'))
      results.push({ file: name, outcomes: cases.map((one) => runCase(one, documents)) })
    }
    const failed = results.some(({ outcomes }) => outcomes.some(({ failures }) => failures.length > 0))
    return { text: textOf(results), json: results, failed }
  },
})

/** A file has one case, or several under `tests`. */
function casesOf(name: string, text: string): TestCase[] {
  const { value, problems } = parseJson(text)
  if (problems.length > 0) throw new StartupError(`${name}: ${problems.join('; ')}`)
  const cases = ((value as { tests?: TestCase[] }).tests ?? [value]) as TestCase[]
  const broken = cases.findIndex((one) => typeof one !== 'object' || one === null || typeof one.expect !== 'object')
  if (broken >= 0)
    throw new StartupError(`${name}: tests[${broken}].expect: is required, such as { "shown": ["welcome"] }`)
  return cases
}

function textOf(results: readonly FileOutcome[]): string {
  const outcomes = results.flatMap((one) => one.outcomes)
  const failed = outcomes.filter(({ failures }) => failures.length > 0).length
  const files = results.map(({ file, outcomes }) => [file, ...outcomes.map(lineOf)].join('\n'))
  const summary = failed === 0 ? `${outcomes.length} passed` : `${failed} failed, ${outcomes.length - failed} passed`
  return [...files, summary].join('\n\n')
}

function lineOf({ name, failures }: Outcome): string {
  if (failures.length === 0) return `  ✓ ${name}`
  const details = failures.flatMap((failure) => failure.split('\n')).map((line) => `      ${line}`)
  return [`  × ${name}`, ...details].join('\n')
}
