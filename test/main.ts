import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/**
 * `npm test`: the linter, then the tests and beside them the type check. The tests often wait for processes, so the two
 * cores of a small machine have time for both. Arguments are for vitest: `npm test -- server/lists`.
 */
const lint = await check('biome', ['ci', '--error-on-warnings', '.'])
if (lint.failed) {
  process.stderr.write(lint.output)
  process.exit(1)
}
// Four checkers, the default, take twice the CPU time of one: each of them checks the types that they share.
const types = ['--noEmit', '--checkers', '1']
// The type checker is a Go program. Without garbage collection it takes a fifth less CPU time, and 800 MB instead of 700.
const WITHOUT_COLLECTOR = { GOGC: 'off', GOMEMLIMIT: '2GiB' }
const [tests, ...checks] = await Promise.all([
  runTests(process.argv.slice(2)),
  check('tsc', types, WITHOUT_COLLECTOR),
  check('tsc', [...types, '-p', 'dashboard'], WITHOUT_COLLECTOR),
])
for (const { failed, output } of checks) if (failed) process.stderr.write(`\nThe type check failed:\n${output}`)
process.exitCode = tests || checks.some(({ failed }) => failed) ? 1 : 0

/** Returns whether they failed. */
async function runTests(words: string[]): Promise<boolean> {
  const child = spawn('vitest', ['run', ...words], { stdio: 'inherit' })
  return await ended(child)
}

async function check(
  command: string,
  words: string[],
  settings: Record<string, string> = {},
): Promise<{ failed: boolean; output: string }> {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...settings } })
  const [failed, ...output] = await Promise.all([ended(child), text(child.stdout), text(child.stderr)])
  return { failed, output: output.join('') }
}

async function ended(child: ReturnType<typeof spawn>): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code !== 0))
  })
}
