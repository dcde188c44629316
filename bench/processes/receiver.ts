import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from './child.ts'

/** A webhook receiver that accepts and counts everything, with minimal answers. */

export type ReceiverQuestion = { kind: 'look' } | { kind: 'wait'; until: number; mostMs: number }

export interface ReceiverAnswer {
  port: number
  received: number
  /** When the last one came, in milliseconds of this machine's monotonic clock. */
  lastAtMs: number
  nowMs: number
  lastBody: string
}

let received = 0
let lastAtMs = 0
let lastBody = ''
let wake = () => {}
let wanted = Number.POSITIVE_INFINITY

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    received += 1
    lastAtMs = performance.now()
    if (lastBody === '') lastBody = Buffer.concat(chunks).toString()
    response.writeHead(200, { 'content-length': 0 }).end()
    if (received >= wanted) wake()
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

answerParent<ReceiverQuestion, ReceiverAnswer>(async (question) => {
  if (question.kind === 'wait' && received < question.until) {
    wanted = question.until
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, question.mostMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    wanted = Number.POSITIVE_INFINITY
  }
  const { port } = server.address() as AddressInfo
  return { port, received, lastAtMs, nowMs: performance.now(), lastBody }
})
