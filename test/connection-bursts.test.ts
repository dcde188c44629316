import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from './support/database.ts'

/** Linux lets 4,096 connections wait unless it is told otherwise, other systems 128. */
it.runIf(process.platform === 'linux')(
  'a thousand connections that come at once wait, though the server accepts none for a moment',
  async () => {
    const test = await createTestDatabase()
    const child = fork(fileURLToPath(new URL('./support/short-timeout-server.ts', import.meta.url)))
    onTestFinished(async () => {
      child.kill('SIGCONT')
      if (child.connected) child.disconnect()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await test.close()
    })
    child.send({ connection: test.connection, timeouts: {} })
    const [{ port }] = (await once(child, 'message')) as [{ port: number }]
    child.kill('SIGSTOP')
    const sockets = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1').on('error', () => {}))
    try {
      await Promise.all(sockets.map((socket) => once(socket, 'connect')))
      child.kill('SIGCONT')
      expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  },
)
