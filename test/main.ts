import { type ChildProcess, spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'

/**
 * `npm test`: the tests, and beside them the linter and the type check, one after the other. The tests often wait for
 * processes, so the two cores of a small machine have time for all. What a check finds is printed at once, and again
 * after the tests. Arguments are for vitest: `npm test -- server/lists`.
 */
// The type checker, which some tests run too, is a Go program. Without garbage collection it takes a fifth less CPU time,
// and 800 MB instead of 700.
const env = { ...process.env, GOGC: 'off', GOMEMLIMIT: '2GiB' }
const testing = ended(spawn('vitest', ['run', ...process.argv.slice(2)], { stdio: 'inherit', env }))
// Four checkers, the default, take twice the CPU time of one: each of them checks the types that they share.
const types = ['--noEmit', '--checkers', '1']
const found = [
  await check('biome', ['ci', '--error-on-warnings', '.']),
  await check('tsc', types),
  await check('tsc', [...types, '-p', 'dashboard']),
  await check('tsc', [...types, '-p', 'sdk']),
].filter((output) => output !== undefined)
const haveFailed = await testing
for (const output of found) process.stderr.write(output)
process.exitCode = haveFailed || found.length > 0 ? 1 : 0

/** Returns what it has printed when it failed. */
async function check(command: string, words: string[]): Promise<string | undefined> {
  const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'], env })
  const [failed, ...printed] = await Promise.all([ended(child), text(child.stdout), text(child.stderr)])
  if (!failed) return undefined
  const output = `\n${command} failed:\n${printed.join('')}`
  process.stderr.write(output)
  return output
}

/** Returns whether it failed. */
async function ended(child: ChildProcess): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code !== 0))
  })
}
