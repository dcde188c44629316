import cluster, { type Worker } from 'node:cluster'
import { EventEmitter } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { relayFigures } from './workers.ts'

/** As Node does it: without a callback, a message that cannot be sent is an error of the worker that nobody listens to. */
class DyingWorker extends EventEmitter {
  readonly id = 1
  readonly isConnected = () => true
  send(_message: unknown, done?: (error: Error) => void): boolean {
    const broken = new Error('write EPIPE')
    if (done) done(broken)
    else this.emit('error', broken)
    return false
  }
}

it('a worker that dies while it is asked for its figures does not end the first process', async () => {
  const before = cluster.listeners('message')
  const worker = new DyingWorker() as unknown as Worker
  relayFigures(() => [worker])
  const [added] = cluster.listeners('message').filter((each) => !before.includes(each))
  onTestFinished(() => void cluster.removeListener('message', added as never))
  let asked = false
  const asker = { id: 2, isConnected: () => true, send: () => (asked = true) } as unknown as Worker
  cluster.emit('message', asker, { metrics: 'gather', id: 1 })
  await expect.poll(() => asked).toBe(true)
})
