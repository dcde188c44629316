import { requestMaker } from '../traffic.ts'
import { answerParent } from './child.ts'
import { Connection } from './connection.ts'
import type { LoadAnswer, LoadQuestion } from './load.ts'

/** Longer than any request may wait in the server's queue. */
const RESPONSE_TIMEOUT_MS = 20_000

/** A request that is answered and changes nothing. */
const GREETING = 'GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n'

/** All connections send their first request at the same moment. This burst is not counted. */
const RUN_IN_MS = 100

/** The load by our own generator, which needs little CPU time. */
answerParent<LoadQuestion, LoadAnswer>(async ({ port, connections, seconds, traffic }) => {
  const nextRequest = requestMaker(traffic)
  const latencies: number[] = []
  let requests = 0
  let failures = 0
  let failure: string | undefined
  const cpuBefore = process.cpuUsage()

  const client = () => {
    let sentAt = 0
    let finish = () => {}
    let greeted = false
    const connection = new Connection(port, (status, head) => {
      const now = performance.now()
      if (!greeted) {
        greeted = true
        finish()
        return
      }
      if (sentAt >= countedFrom) latencies.push(now - sentAt)
      if (status === 200) requests += 1
      else {
        failures += 1
        failure ??= head
      }
      if (now >= deadline || status === 0) finish()
      else send(now)
    })
    const send = (now: number) => {
      sentAt = now
      connection.send(nextRequest())
    }
    const untilFinished = (begin: () => void) =>
      new Promise<void>((resolve) => {
        finish = resolve
        begin()
      })
    return {
      connection,
      greet: () => untilFinished(() => connection.send(GREETING)),
      run: () => untilFinished(() => send(performance.now())),
    }
  }

  let countedFrom = 0
  let deadline = Number.POSITIVE_INFINITY
  const clients = Array.from({ length: connections }, client)
  await Promise.all(clients.map(({ connection }) => connection.open()))
  // Node accepts one connection per turn of its event loop. All connections are open before the first request that
  // counts.
  await inTime(Promise.all(clients.map(({ greet }) => greet())), RESPONSE_TIMEOUT_MS)
  const started = performance.now()
  countedFrom = started + RUN_IN_MS
  deadline = started + seconds * 1_000
  await inTime(Promise.all(clients.map(({ run }) => run())), seconds * 1_000 + RESPONSE_TIMEOUT_MS)
  const ended = performance.now()
  for (const { connection } of clients) connection.close()

  const { user, system } = process.cpuUsage(cpuBefore)
  const sorted = Float64Array.from(latencies).sort()
  return {
    requests,
    seconds: (ended - started) / 1_000,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? 0,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    failures,
    failure,
    cpuMicros: user + system,
  }
})

async function inTime(work: Promise<unknown>, ms: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`a request had no answer within ${RESPONSE_TIMEOUT_MS} ms`)), ms)
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
