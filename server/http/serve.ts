import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../log.ts'
import type { Config } from '../settings/config.ts'
import { AnswerBudget } from './answer-budget.ts'
import { BodyBudget } from './body-budget.ts'
import { closeWhenIdle } from './close-when-idle.ts'
import { Exchange } from './exchange.ts'
import { answerBrokenConnection } from './failures.ts'
import { framingProblem } from './framing.ts'
import { hostProblem } from './host.ts'
import { earlierAnswer, forgetAnswer } from './pipelining.ts'
import { batchRequests } from './request-batching.ts'
import type { ResponseDeadline } from './response-deadline.ts'
import type { Router } from './router.ts'
import { createHttpServer } from './server.ts'
import { SilentConnections } from './silent-connections.ts'
import type { RequestSlots } from './slots.ts'
import { StreamShares } from './stream-shares.ts'
import type { Timeouts } from './timeouts.ts'
import type { Transport } from './transport.ts'

/** The HTTP server, independent of its endpoints. */
export interface Front {
  readonly server: Server
  /** Each further answer closes its connection (`Connection: close`). New connections are still accepted. */
  endConnections(): void
  /** Accepts no more connections, and waits for the requests on open ones. */
  close(isBusy: () => boolean): Promise<void>
}

/** A browser that was here over HTTPS does not come over plain HTTP for a year. */
const HTTPS_ONLY = { 'strict-transport-security': 'max-age=31536000' }

export interface FrontParts {
  router: Router
  transport: Transport
  slots: RequestSlots
  deadline: ResponseDeadline
  fail(exchange: Exchange, error: unknown): void
  log: Log
}

export function createFront(
  config: Pick<Config, 'tls' | 'maxBodyMemory' | 'maxAnswerMemory'>,
  timeouts: Timeouts,
  { router, transport, slots, deadline, fail, log }: FrontParts,
): Front {
  const options = {
    silenceMs: timeouts.silenceMs,
    endless: new Set<ServerResponse>(),
    bodies: new BodyBudget(config.maxBodyMemory),
    answers: new AnswerBudget(config.maxAnswerMemory),
    streams: new StreamShares(),
  }
  let keepsConnections = true

  const answer = (exchange: Exchange) => {
    // Closed before its start: `close` was emitted already and will not be emitted again.
    if (exchange.response.closed) return
    const endpoint = router.find(exchange)
    exchange.observe = endpoint.observe
    if (transport.isSecure(exchange)) exchange.setHeaders(HTTPS_ONLY)
    try {
      const problem =
        framingProblem(exchange) ?? hostProblem(exchange) ?? (endpoint.isOpen ? undefined : transport.problem(exchange))
      if (problem) throw problem
      endpoint.answer(exchange)?.catch((error: unknown) => fail(exchange, error))
    } catch (error) {
      fail(exchange, error)
    }
  }
  const begin = batchRequests(answer)
  const receive = (request: IncomingMessage, response: ServerResponse, expectsContinue: boolean) => {
    const exchange = new Exchange(request, response, options, expectsContinue)
    if (!keepsConnections) response.shouldKeepAlive = false
    // Node emits this once, after the end of a response and after a broken connection.
    response.on('close', () => {
      forgetAnswer(exchange)
      deadline.forget(exchange)
      slots.leave(exchange)
      options.bodies.release(exchange)
      options.answers.release(exchange)
      if (response.writableFinished) exchange.observe?.(exchange)
    })
    const earlier = earlierAnswer(exchange)
    if (earlier) void earlier.then(() => answer(exchange))
    else begin(exchange)
  }
  const server = createHttpServer(config, timeouts, {
    onRequest: (request, response) => receive(request, response, false),
    onExpectContinue: (request, response) => receive(request, response, true),
    onBroken: (error, socket) =>
      answerBrokenConnection(error, socket as Socket, transport.addressOf(socket as Socket), log),
  })

  const silent = new SilentConnections(server)
  const endConnections = () => {
    keepsConnections = false
  }
  const close = async (isBusy: () => boolean) => {
    endConnections()
    for (const response of options.endless) response.destroy()
    await closeWhenIdle(server, silent, isBusy)
    deadline.stop()
  }
  return { server, endConnections, close }
}
