import { once } from 'node:events'
import type { Server } from 'node:http'
import type { ListenOptions, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { definitionHandlers } from './definitions/routes.ts'
import { addDocs } from './docs/routes.ts'
import { errors } from './errors.ts'
import { eventHandlers } from './events/routes.ts'
import { groupHandlers } from './groups/routes.ts'
import { Admission } from './http/admission.ts'
import { drain } from './http/draining.ts'
import { Exchange } from './http/exchange.ts'
import { answerBrokenConnection, sendFailure } from './http/failures.ts'
import { observer } from './http/observation.ts'
import { addOperations, type Handlers } from './http/operation.ts'
import { Patience } from './http/patience.ts'
import { earlierAnswer, forgetAnswer } from './http/pipelining.ts'
import { addProbes } from './http/probes.ts'
import { Router } from './http/router.ts'
import { createHttpServer } from './http/server.ts'
import { TIMEOUTS } from './http/timeouts.ts'
import { Transport } from './http/transport.ts'
import { inTurns } from './http/turns.ts'
import { ReadinessCheck } from './readiness.ts'
import type { Services } from './services.ts'
import { userHandlers } from './users/routes.ts'
import { webhookHandlers } from './webhooks/routes.ts'

/** The HTTP side of the service. */
export interface App {
  readonly server: Server
  listen(options: ListenOptions): Promise<void>
  /** Takes no more requests, and waits for those that are under way. */
  close(): Promise<void>
}

export function createApp(config: Config, services: Services, log: Logger, timeouts = TIMEOUTS): App {
  const transport = new Transport(config)
  const address = ownAddress(config)
  const readiness = new ReadinessCheck(services)
  const admission = new Admission(services)
  const observe = (name: string) => observer(services.metrics, name, log)
  const fail = (exchange: Exchange, error: unknown) =>
    sendFailure(exchange, error, `${transport.baseUrl(exchange)}/docs`, log)
  const patience = new Patience(timeouts.answerMs, timeouts.checkMs, fail)
  const router = new Router(observe('unknown'))
  addProbes(router, config, transport, readiness, services.metrics)
  addDocs(router, address)
  addOperations(router, handlers(services), { patience, admission, transport }, observe)

  let stopping = false
  const answer = (exchange: Exchange) => {
    // Gone before its turn came: nobody would tell us of its end again.
    if (exchange.response.closed) return
    const endpoint = router.find(exchange)
    exchange.observe = endpoint.observe
    try {
      if (stopping) throw errors.stopping()
      const problem = endpoint.isOpen ? undefined : transport.problem(exchange)
      if (problem) throw problem
      endpoint.answer(exchange)?.catch((error: unknown) => fail(exchange, error))
    } catch (error) {
      fail(exchange, error)
    }
  }
  const begin = inTurns(answer)
  const server = createHttpServer(config, timeouts, (request, response) => {
    const exchange = new Exchange(request, response, timeouts.silenceMs)
    // Node emits this once, after the end of a response and after a broken connection.
    response.on('close', () => {
      forgetAnswer(exchange)
      patience.forget(exchange)
      admission.leave(exchange)
      if (response.writableFinished) exchange.observe?.(exchange)
    })
    const earlier = earlierAnswer(exchange)
    if (earlier) void earlier.then(() => answer(exchange))
    else begin(exchange)
  })
  const refuse = (error: Error, socket: Duplex) =>
    answerBrokenConnection(error, socket as Socket, `${address}/docs`, log)
  server.on('clientError', refuse)
  server.on('connect', (_request, socket) => refuse(new Error('CONNECT'), socket))

  const close = async () => {
    stopping = true
    readiness.stop()
    await drain(server, () => services.concurrency.active + services.concurrency.waiting > 0)
    patience.stop()
  }
  return { server, listen: (options) => listen(server, options), close }
}

async function listen(server: Server, options: ListenOptions): Promise<void> {
  server.listen(options)
  await once(server, 'listening')
}

/** Where we are, for those who are told without a request to tell it from; the base address when it is configured. */
function ownAddress({ baseUrl, tls, host, port }: Config): string {
  return baseUrl ?? `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

function handlers(services: Services): Handlers {
  return {
    ...userHandlers(services),
    ...groupHandlers(services),
    ...eventHandlers(services),
    ...definitionHandlers(services),
    ...webhookHandlers(services),
  }
}
