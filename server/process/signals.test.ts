import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = `
  import { interruption } from '${new URL('../command/interruption.ts', import.meta.url)}'
  import { onSignals } from '${new URL('signals.ts', import.meta.url)}'
  interruption.listen()
  setTimeout(() => {}, 120_000)
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

const signalledTwice = (underNpm: boolean, apartMs: number) => `
  import { interruption } from '${new URL('../command/interruption.ts', import.meta.url)}'
  import { onSignals } from '${new URL('signals.ts', import.meta.url)}'
  import { setImmediate } from 'node:timers/promises'
  let now = 1_000
  performance.now = () => now
  interruption.listen()
  const stop = () => setImmediate().then(() => console.log('stopped'))
  const endNow = () => { console.log('ended at once'); process.exit(1) }
  onSignals(interruption, { info() {} }, { shutdownDelayMs: 0, underNpm: ${underNpm} }, { stop, endNow })
  process.emit('SIGINT', 'SIGINT')
  now += ${apartMs}
  process.emit('SIGINT', 'SIGINT')
`

it.each([
  ['that npm forwards after the terminal has sent it is not a second one', true, 1_999, 'stopped\n'],
  ['that comes later than npm forwards one ends the server at once', true, 2_000, 'ended at once\n'],
  ['without npm is a second one, however soon it comes', false, 1, 'ended at once\n'],
])('a SIGINT %s', async (_, underNpm, apartMs, printed) => {
  const program = signalledTwice(underNpm as boolean, apartMs as number)
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  expect(await run.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: printed })
})

const failing = (fail: string) =>
  PROGRAM.replace("process.kill(process.pid, 'SIGTERM')", '')
    .replace('error() {}', 'error: ({ err, origin }) => console.log(origin, err.message)')
    .replace('{ stop })\n', `{ stop })\n${fail}\n`)

it.each([
  ['uncaughtException', "setTimeout(() => { throw new Error('broken') }, 10)"],
  ['unhandledRejection', "setTimeout(() => void Promise.reject(new Error('broken')), 10)"],
])(
  'an error that nothing has caught (%s) is logged, and the server stops in order with exit code 1',
  async (origin, fail) => {
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '--eval', failing(fail as string)])
    await expect(run).rejects.toMatchObject({ code: 1, stdout: `${origin} broken\nstopped\n` })
  },
)
