import { basename, join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { type CommandResult, command } from '../command.ts'
import { isTest, listNames, readFolder, readJson } from './files.ts'
import { endWith2, problemResult } from './problem-result.ts'
import { type Outcome, runCase, type TestCase } from './test-file.ts'
import { testProblems } from './test-schema.ts'

interface FileOutcome {
  file: string
  outcomes: Outcome[]
}

export const contentTest = command({
  summary:
    'Run the files *.test.json of a folder through the engine, without a server; ends with 1 when one fails, with 2 when a file has problems or there is no test',
  parameters: ['FOLDER'],
  options: {},
  run: async ({ parameters: [folder] }) => await testFolder(folder).catch(endWith2),
})

async function testFolder(folder: string): Promise<CommandResult> {
  const { files, problems } = await readFolder(folder)
  const tests = await readTests(folder)
  if (tests.length === 0) throw new StartupError(`There is no test (*.test.json) in ${folder}.`)
  const broken = [...problems, ...tests.flatMap((test) => test.problems)]
  if (broken.length > 0) return problemResult(broken)
  const documents = files.map(({ document }) => document)
  const results = tests.map(({ file, cases }) => ({ file, outcomes: cases.map((one) => runCase(one, documents)) }))
  const failed = results.some(({ outcomes }) => outcomes.some(({ failures }) => failures.length > 0))
  return { text: textOf(results), json: results, failed }
}

interface TestFile {
  file: string
  cases: TestCase[]
  problems: string[]
}

async function readTests(folder: string): Promise<TestFile[]> {
  const names = (await listNames(folder)).filter(isTest)
  return await Promise.all(names.map((name) => readTest(join(folder, name))))
}

/** A file has one case, or several under `tests`. */
async function readTest(path: string): Promise<TestFile> {
  const file = basename(path)
  const { value, problems } = await readJson(path, testProblems)
  if (problems.length > 0) return { file, cases: [], problems }
  const { tests = [value as TestCase] } = value as { tests?: TestCase[] }
  return { file, cases: tests, problems }
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
