import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PROGRAM = `
  import { interruption } from '${new URL('command/interruption.ts', import.meta.url)}'
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
