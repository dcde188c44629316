import autocannon from 'autocannon'
import { requestMaker } from '../traffic.ts'
import { answerParent } from './child.ts'
import type { LoadAnswer, LoadQuestion } from './load.ts'

/** The same load by autocannon, to check that the figures do not depend on our generator. */
answerParent<LoadQuestion, LoadAnswer>(async ({ port, connections, seconds, traffic }) => {
  const nextRequest = requestMaker(traffic)
  const cpuBefore = process.cpuUsage()
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    // autocannon counts in whole seconds.
    duration: Math.ceil(seconds),
    requests: [{ setupRequest: (request) => ({ ...request, ...parse(nextRequest()) }) }],
  })
  const { user, system } = process.cpuUsage(cpuBefore)
  const failures = result.non2xx + result.errors
  return {
    requests: result['2xx'],
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures,
    failure: failures > 0 ? `${result.non2xx} responses other than 2xx, ${result.errors} errors` : undefined,
    cpuMicros: user + system,
  }
})

function parse(text: string) {
  const [head, body] = text.split('\r\n\r\n') as [string, string]
  const [first, ...lines] = head.split('\r\n') as [string, ...string[]]
  const [method, path] = first.split(' ') as ['GET' | 'POST', string]
  return { method, path, headers: Object.fromEntries(lines.map((line) => line.split(': '))), ...(body && { body }) }
}
