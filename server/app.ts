import type { Server } from 'node:http'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { definitionHandlers } from './definitions/routes.ts'
import { registerDocs } from './docs/routes.ts'
import { errors } from './errors.ts'
import { eventHandlers } from './events/routes.ts'
import { groupHandlers } from './groups/routes.ts'
import { Admission } from './http/admission.ts'
import { registerBodyParsers } from './http/body.ts'
import { drain } from './http/draining.ts'
import { answerBrokenConnection, answerUnusual, sendFailure } from './http/failures.ts'
import { observeResponses } from './http/observation.ts'
import { type Handlers, registerOperations } from './http/operation.ts'
import { serverOptions } from './http/options.ts'
import { Patience } from './http/patience.ts'
import { earlierAnswer } from './http/pipelining.ts'
import { isOpenProbe, registerProbes } from './http/probes.ts'
import { TIMEOUTS } from './http/timeouts.ts'
import { Transport } from './http/transport.ts'
import { refuseUnknown } from './http/unknown.ts'
import { validatorCompiler } from './http/validation.ts'
import { ReadinessCheck } from './readiness.ts'
import type { Services } from './services.ts'
import { userHandlers } from './users/routes.ts'
import { webhookHandlers } from './webhooks/routes.ts'

/** The HTTP side of the service, without a socket: routes, validation, authentication and failures. */
export function createApp(config: Config, services: Services, logger: Logger, timeouts = TIMEOUTS): FastifyInstance {
  const transport = new Transport(config)
  const address = ownAddress(config)
  const docUrl = (request: FastifyRequest) => `${transport.baseUrl(request)}/docs`
  const app = fastify({
    ...serverOptions(config, timeouts),
    clientErrorHandler: (error, socket) => answerBrokenConnection(error, socket, `${address}/docs`, logger),
    // What the router refuses passes no hook, but the rules for plain HTTP are the same for it.
    frameworkErrors: (error, request, reply) =>
      void sendFailure(transport.problem(request) ?? error, request, reply, docUrl(request), logger),
  }) as unknown as FastifyInstance<Server>

  app.decorateRequest('grant')
  app.decorateRequest('failureCode', '')
  app.setValidatorCompiler(validatorCompiler)
  registerBodyParsers(app)
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, docUrl(request), logger))
  const observe = (name: string) => observeResponses(services.metrics, name, logger)
  const observeUnknown = observe('unknown')
  app.setNotFoundHandler((request, reply) => {
    reply.raw.once('finish', () => observeUnknown(request, reply, () => {}))
    refuseUnknown(request)
  })
  answerUnusual(app.server, `${address}/docs`, logger)

  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id)
    const goOn = () => {
      if (stopping) done(errors.unavailable('The server is stopping.'))
      else done(isOpenProbe(request) ? undefined : transport.problem(request))
    }
    const earlier = earlierAnswer(request, reply)
    if (earlier) void earlier.then(goOn)
    else goOn()
  })
  registerProbes(app, config, transport, new ReadinessCheck(services), services.metrics)
  registerDocs(app, address)
  app.addHook('preClose', () => drain(app.server, () => services.concurrency.active + services.concurrency.waiting > 0))

  // Before the body is read: whoever has no key, or is over a limit, does not get to send us a megabyte.
  const admission = new Admission(services)
  const patience = new Patience(timeouts.answerMs, timeouts.checkMs)
  app.addHook('onClose', (_app, done) => {
    patience.stop()
    done()
  })
  const api = async (scope: FastifyInstance) => {
    scope.addHook('onRequest', (request, reply, done) => {
      patience.watch(reply)
      try {
        const admitted = admission.admit(request, reply)
        if (admitted) return void admitted.then(() => done(), done)
      } catch (error) {
        return done(error as Error)
      }
      done()
    })
    registerOperations(scope, handlers(services), (request) => transport.baseUrl(request), observe)
  }
  app.register(api)
  return app
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
