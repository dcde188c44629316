import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { TIMEOUTS } from '../server/http/timeouts.ts'
import { createTestDatabase } from './support/database.ts'
import { forkBeside } from './support/process.ts'

const CONNECTIONS = 600

/** How many connections the system lets wait: 4,096 on Linux, unless it is told otherwise. It is not known of others. */
function mostWaiting(): number {
  try {
    return Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'))
  } catch {
    return 0
  }
}

it.runIf(mostWaiting() > CONNECTIONS)(
  'hundreds of connections that come at once wait, though the server accepts none for a moment',
  async () => {
    const test = await createTestDatabase()
    const child = await forkBeside('short-timeout-server')
    onTestFinished(async () => {
      child.kill('SIGCONT')
      if (child.connected) child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await test.close()
    })
    child.send({ connection: test.connection, timeouts: TIMEOUTS })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    child.kill('SIGSTOP')
    const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1').on('error', () => {}))
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      child.kill('SIGCONT')
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  },
)
