import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { definitionHandlers } from './definitions/routes.ts'
import { errors } from './errors.ts'
import { eventHandlers } from './events/routes.ts'
import { groupHandlers } from './groups/routes.ts'
import { Admission } from './http/admission.ts'
import { registerBodyParsers } from './http/body.ts'
import { answerBrokenConnection, sendFailure } from './http/failures.ts'
import { observeResponses } from './http/observation.ts'
import { type Handlers, registerOperations } from './http/operation.ts'
import { isOpenProbe, registerProbes } from './http/probes.ts'
import { parseQueryString } from './http/query-string.ts'
import { newRequestId } from './http/request-id.ts'
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
  const docUrl = (request?: FastifyRequest) =>
    `${request ? transport.baseUrl(request) : (config.baseUrl ?? 'http://localhost')}/docs`
  const server = { headersTimeout: timeouts.headersMs, connectionsCheckingInterval: timeouts.checkMs }
  const app = fastify({
    ...(config.tls
      ? { https: { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile), ...server } }
      : { http: server }),
    connectionTimeout: timeouts.silenceMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    requestTimeout: timeouts.requestMs,
    // While the server stops, requests get our own answer (below).
    return503OnClosing: false,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // An id may have 255 characters of four bytes, each written as %XX.
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 255 * 4 * 3 },
    clientErrorHandler: (error, socket) => answerBrokenConnection(error, socket, docUrl(), logger),
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply, docUrl(request)),
  }) as unknown as FastifyInstance<Server>

  app.decorateRequest('grant')
  app.decorateRequest('failureCode', '')
  app.setValidatorCompiler(validatorCompiler)
  registerBodyParsers(app)
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, docUrl(request)))
  app.setNotFoundHandler((request) => refuseUnknown(request))

  let stopping = false
  app.addHook('preClose', (done) => {
    stopping = true
    done()
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id)
    try {
      if (stopping) throw errors.unavailable('The server is stopping.')
      if (!isOpenProbe(request)) transport.requireSecure(request)
    } catch (error) {
      return done(error as Error)
    }
    done()
  })
  registerProbes(app, config, transport, new ReadinessCheck(services), services.metrics)

  // Before the body is read: whoever has no key, or is over a limit, does not get to send us a megabyte.
  const admission = new Admission(services)
  const observe = (name: string) => observeResponses(services.metrics, name, logger.isLevelEnabled('debug'))
  const observeUnknown = observe('unknown')
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) observeUnknown(request, reply, done)
    else done()
  })
  const api = async (scope: FastifyInstance) => {
    scope.addHook('onRequest', (request, reply, done) => {
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

function handlers(services: Services): Handlers {
  return {
    ...userHandlers(services),
    ...groupHandlers(services),
    ...eventHandlers(services),
    ...definitionHandlers(services),
    ...webhookHandlers(services),
  }
}
