import { once } from 'node:events'
import type { Server } from 'node:http'
import type { ListenOptions } from 'node:net'
import type { Logger } from 'pino'
import { operations } from '../../contract/operations.ts'
import { editOperations } from '../../contract/sdk/operations.ts'
import type { Grant } from '../accounts/keyring.ts'
import type { ApiHandlers } from '../api.ts'
import { apiOrigin, type OriginOf } from '../audit/api-origin.ts'
import { bulkHandlers } from '../bulk/routes.ts'
import { readPublishedFigures } from '../content/figures.ts'
import { contentHandlers } from '../content/routes.ts'
import { addSchemas } from '../content/schemas.ts'
import { themeHandlers } from '../content/theme-routes.ts'
import { versionHandlers } from '../content/version-routes.ts'
import { addDashboard } from '../dashboard/routes.ts'
import { addRoot } from '../dashboard/static.ts'
import { Decisions } from '../decisions/decisions.ts'
import { publishPlan } from '../decisions/publish-plan.ts'
import { publishedSource } from '../decisions/published-interest.ts'
import { pushWarnings } from '../decisions/push-warnings.ts'
import { decisionHandlers } from '../decisions/routes.ts'
import { addDemo } from '../demo/routes.ts'
import { addDocs } from '../docs/routes.ts'
import { eventHandlers } from '../events/routes.ts'
import { groupHandlers } from '../groups/routes.ts'
import { KeyAdmission } from '../http/admission.ts'
import { Compression } from '../http/compression.ts'
import type { Exchange } from '../http/exchange.ts'
import { sendFailure } from '../http/failures.ts'
import { observer } from '../http/observation.ts'
import { addOperations, admissionGuard, type Gate, type OperationTable } from '../http/operation.ts'
import { ResponseDeadline } from '../http/response-deadline.ts'
import { Router } from '../http/router.ts'
import { createFront } from '../http/serve.ts'
import { RequestSlots } from '../http/slots.ts'
import { TIMEOUTS } from '../http/timeouts.ts'
import { Transport } from '../http/transport.ts'
import { Recorder } from '../live/recorder.ts'
import { definitionHandlers } from '../reads/definitions.ts'
import { createPublicParts } from '../sdk/parts.ts'
import { addPublicSide } from '../sdk/routes.ts'
import { addScript } from '../sdk/script.ts'
import { segmentHandlers } from '../segments/routes.ts'
import type { Services } from '../services.ts'
import { SessionEnder } from '../sessions/ender.ts'
import { sessionHandlers } from '../sessions/routes.ts'
import { Sessions } from '../sessions/sessions.ts'
import type { Config } from '../settings/config.ts'
import { ownAddress } from '../settings/own-address.ts'
import { userHandlers } from '../users/routes.ts'
import { deliveryHandlers } from '../webhooks/delivery-routes.ts'
import { webhookHandlers } from '../webhooks/routes.ts'
import { addProbes } from './probes.ts'
import { ReadinessCheck } from './readiness.ts'

/** The HTTP side of the service. */
export interface App {
  readonly server: Server
  listen(options: ListenOptions): Promise<void>
  /** Fails /readyz and closes each connection with its next answer, so that load balancers use another node. */
  announceStop(): void
  /** Accepts no more connections, and waits for the requests on open ones. */
  close(): Promise<void>
}

export function createApp(config: Config, services: Services, log: Logger, timeouts = TIMEOUTS): App {
  const { concurrency, keyring, metrics, rateLimiter } = services
  const address = ownAddress(config)
  const transport = new Transport(config)
  const slots = new RequestSlots(concurrency)
  const readiness = new ReadinessCheck(services)
  const fail = (exchange: Exchange, error: unknown) => sendFailure(exchange, error, transport.baseUrl(exchange), log)
  const deadline = new ResponseDeadline(timeouts.answerMs, timeouts.checkMs, fail)
  const addressOf = (exchange: Exchange) => transport.clientAddress(exchange)
  const decisions = new Decisions(services.database, services.facts)
  const sessions = new Sessions(services, decisions)
  metrics.watchGuidance(() => readPublishedFigures(services.database))
  services.hints.content.source = publishedSource(services.database)
  const recorder = new Recorder(services.counters, services.live.feed, addressOf)
  const compression = new Compression()
  const gate: Gate<Grant> = {
    admission: new KeyAdmission(keyring, rateLimiter, slots),
    compression,
    deadline,
    transport,
    versionHeader: config.webhookHeaderPrefix && `${config.webhookHeaderPrefix}-Version`,
    observe: (name) => both(observer(metrics, name, log), recorder.observer(name, secretFieldsOf(operations, name))),
  }
  const router = new Router({ guard: admissionGuard(gate), observe: gate.observe('unknown') })
  addProbes(router, config, transport, readiness, metrics, compression)
  addDocs(router, address, compression)
  addSchemas(router)
  addScript(router, transport)
  addOperations(
    router,
    operations,
    handlers(services, decisions, sessions, apiOrigin(services.database, addressOf)),
    gate,
  )
  const publicParts = createPublicParts(services, decisions, sessions, log)
  addPublicSide(router, publicParts, {
    deadline,
    transport,
    slots,
    observe: (name) =>
      both(observer(metrics, `sdk_${name}`, log), recorder.pageObserver(name, secretFieldsOf(editOperations, name))),
  })
  addRoot(router, admissionGuard(gate))
  const observe = (name: string) => observer(metrics, name, log, { readsAreRepeated: true })
  addDashboard(
    router,
    { config, services, log, decisions, apiUrl: (exchange) => transport.baseUrl(exchange) },
    { deadline, transport, slots, observe },
  )

  addDemo(
    router,
    { config, services, decisions, directory: publicParts.directory },
    { deadline, transport, slots, observe },
  )

  const parts = { router, transport, slots, deadline, fail, log }
  const ender = new SessionEnder(services, log)
  const front = createFront(config, timeouts, parts)
  const announceStop = () => {
    readiness.stop()
    publicParts.streams.close()
    front.endConnections()
  }
  const close = async () => {
    announceStop()
    await front.close(() => concurrency.active + concurrency.waiting > 0)
    await Promise.all([publicParts.uses.stop(), publicParts.identifications.stop(), ender.stop()])
  }
  const start = async (options: ListenOptions) => {
    await listen(front.server, options)
    ender.start()
  }
  return { server: front.server, listen: start, announceStop, close }
}

function secretFieldsOf(table: OperationTable, name: string): readonly string[] | undefined {
  return table[name]?.secretFields
}

/**
 * How many connections wait until they are accepted, if the system allows it (`net.core.somaxconn`). With the 511 of Node,
 * the others of 1,024 clients that came at once tried again a second later.
 */
const WAITING_CONNECTIONS = 4_096

async function listen(server: Server, options: ListenOptions): Promise<void> {
  server.listen({ backlog: WAITING_CONNECTIONS, ...options })
  await once(server, 'listening')
}

function handlers(services: Services, decisions: Decisions, sessions: Sessions, originOf: OriginOf): ApiHandlers {
  const { database, now } = services
  return {
    ...objectHandlers(services),
    ...bulkHandlers(services, objectHandlers),
    ...definitionHandlers(services),
    ...segmentHandlers(services, originOf),
    ...sessionHandlers(services, sessions),
    ...webhookHandlers(services, originOf),
    ...deliveryHandlers(services, originOf),
    ...contentHandlers(services, originOf, {
      plan: (environmentId, call, signal) => publishPlan({ database, decisions, now }, environmentId, call, signal),
      pushWarnings: (environmentId, documents, signal) =>
        pushWarnings({ database, environmentId, documents, now: now(), signal }),
    }),
    ...versionHandlers(services),
    ...themeHandlers(services, originOf),
    ...decisionHandlers(decisions, services.metrics.guidance),
  }
}

function both(first: (exchange: Exchange) => void, second: (exchange: Exchange) => void) {
  return (exchange: Exchange) => {
    first(exchange)
    second(exchange)
  }
}

/** The handlers of users, groups and events. A batch can hold the writes among them. */
const objectHandlers = (services: Services) => ({
  ...userHandlers(services),
  ...groupHandlers(services),
  ...eventHandlers(services),
})
