import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = `
  import { interruption } from '${new URL('../command/interruption.ts', import.meta.url)}'
  import { onSignals } from '${new URL('signals.ts', import.meta.url)}'
  interruption.listen()
  setTimeout(() => {}, 10_000)
  const stop = async () => console.log('stopped')
  setImmediate(() => {
    process.kill(process.pid, 'SIGTERM')
    onSignals(interruption, { info() {}, error() {} }, { shutdownDelayMs: 0 }, { stop })
  })
`

it('a signal that arrives while the start is about to end stops the running server', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM])
  expect(stdout).toBe('stopped\n')
})

const FAILING = PROGRAM.replace("process.kill(process.pid, 'SIGTERM')", '').replace(
  'error() {}',
  'error: ({ err, origin }) => console.log(origin, err.message)',
)

it.each([
  ['uncaughtException', "setTimeout(() => { throw new Error('broken') }, 10)"],
  ['unhandledRejection', "setTimeout(() => void Promise.reject(new Error('broken')), 10)"],
])(
  'an error that nothing has caught (%s) is logged, and the server stops in order with exit code 1',
  async (origin, fail) => {
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', FAILING + fail])
    await expect(run).rejects.toMatchObject({ code: 1, stdout: `${origin} broken\nstopped\n` })
  },
)
