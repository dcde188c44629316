import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics/metrics.ts'

export type ResponseObserver = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void

/**
 * Counts and logs the responses of one operation. A success is worth a line at level debug, a refusal at info; 5xx were
 * logged with their cause when they failed. A request over the rate limit is counted only: a flood must stay cheap.
 */
export function observeResponses(metrics: Metrics, operation: string, log: Logger): ResponseObserver {
  const logsSuccess = log.isLevelEnabled('debug')
  const count = metrics.operation(operation)
  return (request, reply, done) => {
    const status = reply.statusCode
    count(status, request.failureCode, reply.elapsedTime / 1000)
    if (status < 400) {
      if (logsSuccess) log.debug(describe(operation, request, reply), 'answered')
    } else if (status < 500 && status !== 429) {
      log.info({ ...describe(operation, request, reply), code: request.failureCode }, 'refused')
    }
    done()
  }
}

function describe(operation: string, { id, method, url }: FastifyRequest, reply: FastifyReply): object {
  const ms = Math.round(reply.elapsedTime * 10) / 10
  return { reqId: id, operation, method, path: pathOf(url), status: reply.statusCode, ms }
}

/** For the log: without the query, which may hold an e-mail address. */
export function pathOf(url: string): string {
  return (url.split('?', 1)[0] as string).slice(0, 200)
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The error code that the request was answered with; empty for a success. */
    failureCode: string
  }
}
