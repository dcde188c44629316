import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { usher } from '../../test/support/command.ts'
import { failureOf } from './failure.ts'
import { runCommand } from './run.ts'
import { loadCommands, names } from './table.ts'

const commands = await loadCommands(names)

it('help names every command, and explains each with its options', async () => {
  const { code, stdout } = await usher(['help'], {})
  expect(code).toBe(0)
  for (const name of names) expect(stdout).toContain(`  ${name}`)
  const one = await usher(['help', 'keys', 'create'], {})
  expect(one).toMatchObject({ code: 0, stderr: '' })
  expect(one.stdout).toContain('Usage: npx usher keys create --environment NAME [--account NAME] [--json]')
  expect((await usher(['keys', 'create', '--help'], {})).stdout).toBe(one.stdout)
})

it('help works with invalid settings', async () => {
  expect(await usher([], { PORT: 'nonsense' })).toMatchObject({ code: 0, stderr: '' })
})

it.each([
  [['kesy'], 'There is no command "kesy".'],
  [['constructor'], 'There is no command "constructor".'],
  [['keys'], '"keys" needs one of create, list, revoke after it.'],
  [['keys', 'create'], '"usher keys create" needs --environment.'],
  [['keys', 'list', '--enviroment', 'Staging'], "Unknown option '--enviroment'."],
  [['start', '--port', '9000'], "Unknown option '--port': it is a setting, the environment variable PORT."],
  [['keys', 'list', '--data-dir=x'], "'--data-dir': it is a setting, the environment variable USHER_DATA_DIR."],
  [['keys', 'create', '--environment'], "Option '--environment <value>' argument missing."],
  [['keys', 'list', 'Staging'], '"usher keys list" takes nothing, not Staging.'],
  [['accounts', 'set-plan', 'Acme'], '"usher accounts set-plan" takes NAME PLAN, not Acme.'],
  [['accounts', 'create', 'Acme', '--plan', 'gold'], 'There is no plan "gold":'],
  [['accounts', 'create', ' '], '" " is not a name:'],
])('answers %j with one clear line and exit code 2', async (words, line) => {
  const { code, stdout, stderr } = await usher(words, {})
  expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 2, stdout: '', lines: 2 })
  expect(stderr).toContain(line)
})

it('loads no files of other commands', () => {
  const hooks = `import { registerHooks } from 'node:module'
    registerHooks({ load: (url, context, next) => (process.stderr.write(url + '\\n'), next(url, context)) })`
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`]
  const main = fileURLToPath(new URL('../../bin/usher.js', import.meta.url))
  const { stderr } = spawnSync(process.execPath, [...flags, main, 'help', 'export', 'events'], { encoding: 'utf8' })
  const folders = [...stderr.matchAll(/\/server\/(\w+)\//g)].map(([, folder]) => folder)
  expect(new Set(folders)).toEqual(
    new Set(['accounts', 'command', 'database', 'deletions', 'files', 'objects', 'settings', 'transfer']),
  )
})

it('prints its version', async () => {
  expect((await usher(['version'], {})).stdout).toMatch(/^usher \d+\.\d+\.\d+ \(node 24\./)
})

it('explains a group of commands, and every command of the table', async () => {
  const { code, stdout } = await usher(['keys', '--help'], {})
  expect(code).toBe(0)
  expect(stdout).toContain('keys revoke KEY')
  expect(stdout).not.toContain('accounts')
})

it('under --json a failure is one JSON document, with the same exit code', async () => {
  const typed = await usher(['keys', 'create', '--json'], {})
  expect([typed.code, typed.stderr]).toEqual([2, ''])
  expect(JSON.parse(typed.stdout)).toEqual({
    error: { code: 'usage', message: expect.stringContaining('needs --environment') },
  })
  const failed = await usher(['keys', 'list', '--json'], { USHER_DATA_DIR: '/nonexistent/usher' })
  expect(failed.code).toBe(1)
  expect(JSON.parse(failed.stdout)).toMatchObject({ error: { code: 'failed' } })
})

/** A line that is right, but for what it is to work on. */
function lineFor(name: string): string[] {
  const { parameters, options } = commands[name] as (typeof commands)[string]
  const id = '019b7a1e-2f00-7cc3-98c4-dc0c0c07398f'
  const values: Record<string, string> = {
    ...{ NAME: 'x', PLAN: 'starter', KEY: '1', SUBSCRIPTION: id, NOTIFICATION: id, SHELL: 'bash' },
    ...{ TOKEN: '1', ORIGIN: 'localhost', PAGE: 'http://127.0.0.1:9/', SETTING: 'report', SECRET: id },
    ...{ FILE: '/nonexistent/file', 'FILE…': '/nonexistent/file', DAYS: '1d', TIME: '1h' },
    ...{ FOLDER: '/nonexistent/folder', DURATION: '10m' },
  }
  // Some commands need an environment unless they are given something else.
  const required = Object.entries(options).filter(([key, option]) => option.required || key === 'environment')
  const words = required.flatMap(([key, { value = '' }]) => [`--${key}`, values[value] as string])
  if (options.confirm) words.push('--confirm')
  // It needs one of the two.
  if (options['keep-events']) words.push('--keep-events', '1d')
  return [...name.split(' '), ...parameters.map((parameter) => values[parameter] as string), ...words, '--json']
}

describe.each(names)('under --json "usher %s"', (name) => {
  const failure = async (words: readonly string[], settings: NodeJS.ProcessEnv = {}) =>
    failureOf(await runCommand(words, settings).catch((error: unknown) => error))

  it('reports a wrong command line as such', async () => {
    expect(await failure([...lineFor(name), '--nonsense'])).toMatchObject({ code: 'usage', exitCode: 2 })
    expect(await failure([...lineFor(name), 'nonsense', '--json=1'])).toMatchObject({ code: 'usage', exitCode: 2 })
  })

  const { parameters, options } = commands[name] as (typeof commands)[string]
  const needsWords = parameters.length > 0 || Object.values(options).some(({ required }) => required)
  if (needsWords)
    it('reports what is missing', async () => {
      expect(await failure([...name.split(' '), '--json'])).toMatchObject({ code: 'usage', exitCode: 2 })
    })

  // These need no database, or report on it.
  if (['doctor', 'completion', 'version'].includes(name)) return

  it('reports wrong settings, and a database that is not there', async () => {
    // 1 of these says that something differs, or that a test failed.
    const exitCode = ['content diff', 'content test'].includes(name) ? 2 : 1
    const expected = { code: 'failed', exitCode, message: expect.stringMatching(/^[^\n]+$/) }
    expect(await failure(lineFor(name), { PORT: 'nonsense' })).toMatchObject(expected)
    if (name === 'start') return
    expect(await failure(lineFor(name), { USHER_DATA_DIR: '/nonexistent/usher' })).toMatchObject(expected)
  })
})

it('an unexpected failure has its message in the JSON document, and its stack beside it', () => {
  const error = new Error('out of order')
  expect(failureOf(error)).toEqual({ code: 'unexpected', message: 'out of order', exitCode: 1, stack: error.stack })
})

it('prints help as one JSON document too', async () => {
  const { stdout } = await usher(['keys', 'create', '--help', '--json'], {})
  expect(JSON.parse(stdout)).toEqual({ help: expect.stringContaining('Usage: npx usher keys create') })
})

it('completes commands and options in bash', async () => {
  const { stdout } = await usher(['completion', 'bash'], {})
  const script = `${stdout}\nCOMP_WORDS=(usher import users --en); COMP_CWORD=3; _usher; echo "\${COMPREPLY[@]}"`
  expect(execFileSync('bash', ['-c', script]).toString()).toBe('--environment\n')
  for (const shell of ['zsh', 'fish']) expect((await usher(['completion', shell], {})).stdout).toContain('environment')
})
