import cluster, { type Worker } from 'node:cluster'
import type { Metrics, ProcessFigures } from './metrics.ts'

/**
 * How `/metrics` answers for all workers. The scraped worker sends `gather` to the first process, which sends
 * `read` to every worker, waits for their `figures`, and sends them back as `gathered`.
 *
 * prom-client's own cluster registry is not used: it also asks workers that are still starting, and fails when one of
 * them does not answer. Its aggregation is.
 */
type WorkerMessage =
  | { metrics: 'gather' | 'read'; id: number }
  | { metrics: 'figures'; id: number; figures: ProcessFigures }
  | { metrics: 'gathered'; id: number; all: ProcessFigures[] }

/** The figures of a worker that does not answer in time are left out; `usher_processes` shows it. */
const ANSWER_MS = 2_000

function isMessage(value: unknown): value is WorkerMessage {
  return typeof value === 'object' && value !== null && 'metrics' in value
}

/** In a worker. */
export function shareFigures(metrics: Metrics): void {
  const waiting = new Map<number, (all: ProcessFigures[]) => void>()
  const send = (message: WorkerMessage) => void (process.connected && process.send?.(message))
  let lastId = 0
  process.on('message', (message) => {
    if (!isMessage(message)) return
    const { id } = message
    if (message.metrics === 'read')
      void metrics.ownFigures().then((figures) => send({ metrics: 'figures', id, figures }))
    if (message.metrics !== 'gathered') return
    waiting.get(id)?.(message.all)
    waiting.delete(id)
  })
  metrics.gatherWith(() => {
    const { promise, resolve } = Promise.withResolvers<ProcessFigures[]>()
    lastId += 1
    waiting.set(lastId, resolve)
    send({ metrics: 'gather', id: lastId })
    return promise
  })
}

/** A worker that was killed counts as connected for a moment. Without a callback the failure would end the first process. */
function sendTo(worker: Worker, message: WorkerMessage): void {
  worker.send(message, () => {})
}

/** In the first process. `workers` gives those that have finished their start. */
export function relayFigures(workers: () => Iterable<Worker>): void {
  const answers = new Map<string, (figures: ProcessFigures) => void>()
  let lastId = 0
  const read = (worker: Worker): Promise<ProcessFigures | undefined> => {
    const { promise, resolve } = Promise.withResolvers<ProcessFigures | undefined>()
    lastId += 1
    const key = `${worker.id} ${lastId}`
    const timer = setTimeout(resolve, ANSWER_MS, undefined)
    answers.set(key, resolve)
    if (worker.isConnected()) sendTo(worker, { metrics: 'read', id: lastId })
    else resolve(undefined)
    return promise.finally(() => {
      clearTimeout(timer)
      answers.delete(key)
    })
  }
  const gather = async (asker: Worker, id: number): Promise<void> => {
    const found = await Promise.all([...workers()].map(read))
    const all = found.filter((figures) => figures !== undefined)
    if (asker.isConnected()) sendTo(asker, { metrics: 'gathered', id, all })
  }
  cluster.on('message', (worker, message: unknown) => {
    if (!isMessage(message)) return
    if (message.metrics === 'gather') void gather(worker, message.id)
    if (message.metrics === 'figures') answers.get(`${worker.id} ${message.id}`)?.(message.figures)
  })
}
