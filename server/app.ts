import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import fastify, { type FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import { definitionHandlers } from './definitions/routes.ts'
import { eventHandlers } from './events/routes.ts'
import { groupHandlers } from './groups/routes.ts'
import { registerBodyParsers } from './http/body.ts'
import { answerBrokenConnection, sendFailure } from './http/failures.ts'
import { negotiate } from './http/negotiation.ts'
import { type Handlers, registerOperations } from './http/operation.ts'
import { parseQueryString } from './http/query-string.ts'
import { newRequestId } from './http/request-id.ts'
import { Transport } from './http/transport.ts'
import { refuseUnknown } from './http/unknown.ts'
import { validatorCompiler } from './http/validation.ts'
import type { Services } from './services.ts'
import { userHandlers } from './users/routes.ts'
import { webhookHandlers } from './webhooks/routes.ts'

/** The HTTP side of the service, without a socket: routes, validation, authentication and failures. */
export function createApp(config: Config, services: Services, logger: Logger): FastifyInstance {
  const transport = new Transport(config)
  const docUrl = `${config.baseUrl ?? `http://${config.host}:${config.port}`}/docs`
  const app = fastify({
    ...(config.tls && { https: { cert: readFileSync(config.tls.certFile), key: readFileSync(config.tls.keyFile) } }),
    loggerInstance: logger,
    disableRequestLogging: true,
    genReqId: newRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    // An id may have 255 characters of four bytes, each written as %XX.
    routerOptions: { querystringParser: parseQueryString, maxParamLength: 255 * 4 * 3 },
    clientErrorHandler: (error, socket) => answerBrokenConnection(error, socket, docUrl, logger),
    frameworkErrors: (error, request, reply) => void sendFailure(error, request, reply, docUrl),
  }) as unknown as FastifyInstance<Server>

  app.decorateRequest('grant')
  app.setValidatorCompiler(validatorCompiler)
  registerBodyParsers(app)
  app.setErrorHandler((error, request, reply) => sendFailure(error, request, reply, docUrl))
  app.setNotFoundHandler((request) => refuseUnknown(request))

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('request-id', request.id)
    try {
      transport.requireSecure(request)
      done()
    } catch (error) {
      done(error as Error)
    }
  })

  // Before the body is read: whoever has no key does not get to send us a megabyte.
  const api = async (scope: FastifyInstance) => {
    scope.addHook('onRequest', (request, _reply, done) => {
      try {
        const grant = services.keyring.authenticate(request.headers.authorization)
        if (grant instanceof Promise) {
          grant
            .then((found) => {
              request.grant = found
              negotiate(request.method, request.headers)
            })
            .then(() => done(), done)
          return
        }
        request.grant = grant
        negotiate(request.method, request.headers)
        done()
      } catch (error) {
        done(error as Error)
      }
    })
    registerOperations(scope, handlers(services), (request) => transport.baseUrl(request))
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
