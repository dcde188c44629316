import { requestMaker, type Traffic } from '../traffic.ts'
import { answerParent } from './child.ts'
import { Connection } from './connection.ts'

/**
 * Load that does not wait for answers: requests are due at a fixed rate, and a latency counts from the moment the request
 * was due, not from when it was sent. A server that falls behind is charged for the queue that it causes.
 */

export interface OpenLoopQuestion {
  port: number
  traffic: Traffic
  perSecond: number
  seconds: number
  /** A request that is due while all connections are busy waits in the client, and its latency grows. */
  connections: number
}

export interface OpenLoopAnswer {
  requests: number
  seconds: number
  p50Ms: number
  p99Ms: number
  p999Ms: number
  failures: number
  failure: string | undefined
}

/** Node's timers fire once a millisecond at most. What is due in that millisecond is sent together. */
const TICK_MS = 1
/** The first requests find cold connections. They are not counted. */
const RUN_IN_MS = 200
const DRAIN_MS = 20_000

answerParent<OpenLoopQuestion, OpenLoopAnswer>(async ({ port, traffic, perSecond, seconds, connections }) => {
  const nextRequest = requestMaker(traffic)
  const latencies: number[] = []
  let failures = 0
  let failure: string | undefined
  const free: Connection[] = []
  const waiting: number[] = []
  const dueAt = new Map<Connection, number>()

  const send = (connection: Connection, due: number) => {
    dueAt.set(connection, due)
    connection.send(nextRequest())
  }
  const create = () => {
    const connection: Connection = new Connection(port, (status, head) => {
      const due = dueAt.get(connection)
      if (due !== undefined && due >= countedFrom) latencies.push(performance.now() - due)
      if (status !== 200) {
        failures += 1
        failure ??= head
      }
      dueAt.delete(connection)
      const next = status === 0 ? undefined : waiting.shift()
      if (next !== undefined) send(connection, next)
      else if (status !== 0) free.push(connection)
    })
    return connection
  }
  const all = Array.from({ length: connections }, create)
  await Promise.all(all.map((connection) => connection.open()))
  free.push(...all)

  const started = performance.now()
  const countedFrom = started + RUN_IN_MS
  const total = Math.round(perSecond * seconds)
  await new Promise<void>((resolve, reject) => {
    let sent = 0
    const tick = () => {
      const now = performance.now()
      const due = Math.min(total, Math.floor(((now - started) / 1_000) * perSecond))
      for (; sent < due; sent += 1) {
        const at = started + (sent / perSecond) * 1_000
        const connection = free.pop()
        if (connection) send(connection, at)
        else waiting.push(at)
      }
      if (sent === total && dueAt.size === 0 && waiting.length === 0) resolve()
      else if (now > started + seconds * 1_000 + DRAIN_MS) reject(new Error('requests were not answered'))
      else setTimeout(tick, TICK_MS)
    }
    tick()
  })
  const ended = performance.now()
  for (const connection of all) connection.close()
  const sorted = Float64Array.from(latencies).sort()
  const percentile = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return {
    requests: latencies.length,
    seconds: (ended - started) / 1_000,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    p999Ms: percentile(0.999),
    failures,
    failure,
  }
})
