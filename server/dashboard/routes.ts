import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import { operations } from '../../contract/dashboard/operations.ts'
import { type OperationName, type RequiredRole, roles } from '../../contract/dashboard/paths.ts'
import { limits } from '../../contract/limits.ts'
import { findEnvironmentBySlug } from '../accounts/environment-queries.ts'
import type { Database } from '../database/database.ts'
import { isDuplicate } from '../database/errors.ts'
import { errors } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import type { Exchange } from '../http/exchange.ts'
import { addOperations, type Gate, type Handlers, type OperationTable } from '../http/operation.ts'
import type { Answer } from '../http/reply.ts'
import type { Router } from '../http/router.ts'
import { type AdmissionParts, OpenAdmission, SessionAdmission } from './admission.ts'
import { auditHandlers } from './audit.ts'
import { type DashboardHandlers, type MemberCaller, Raw, WithHeaders } from './call.ts'
import { countedRunHandlers } from './content/counted-runs.ts'
import { contentHandlers } from './content/handlers.ts'
import { inPlaceHandlers } from './content/in-place.ts'
import { planHandlers } from './content/plan.ts'
import { resultHandlers } from './content/results.ts'
import { targetHandlers } from './content/targets.ts'
import { themeHandlers } from './content/themes.ts'
import { versionHandlers } from './content/versions.ts'
import { definitionHandlers } from './definitions/handlers.ts'
import { environmentHandlers } from './environments.ts'
import { apiHeaders } from './headers.ts'
import { homeHandlers } from './home/handlers.ts'
import { installHandlers } from './install.ts'
import { invitationHandlers } from './invitations.ts'
import { keyHandlers } from './keys.ts'
import { linkHandlers } from './links.ts'
import { liveHandlers } from './live/handlers.ts'
import { memberHandlers } from './members.ts'
import { eventHandlers } from './objects/events.ts'
import { objectHandlers } from './objects/handlers.ts'
import type { DashboardParts } from './parts.ts'
import { receiptHandlers } from './receipts/handlers.ts'
import { searchHandlers } from './search.ts'
import { segmentHandlers } from './segments.ts'
import { sessionHandlers } from './session.ts'
import { addPages } from './static.ts'
import { systemHandlers } from './system/handlers.ts'
import { usageHandlers } from './usage.ts'
import { deliveryHandlers } from './webhooks/deliveries.ts'
import { endpointHandlers } from './webhooks/handlers.ts'
import { replayHandlers } from './webhooks/replays.ts'

/** What the dashboard shares with the public API. */
export type DashboardGate = Omit<Gate<unknown>, 'admission' | 'prefix'> & Pick<AdmissionParts, 'slots'>

/** Operations whose answer is an endless stream. */
const endless: readonly string[] = ['watchLive']

/** The dashboard: its pages, and its API for members who are signed in. None of it takes an API key. */
export function addDashboard(router: Router, parts: DashboardParts, { slots, ...gate }: DashboardGate): void {
  const { database } = parts.services
  const admissionParts = { database, transport: gate.transport, slots }
  const handlers = adaptHandlers(handlersOf(parts), database)
  const observe = (name: string) => gate.observe(`dashboard_${name}`)
  const add = (names: readonly string[], admission: Admission<unknown>, bodyBytes = limits.bodyBytes) =>
    addOperations(router, pick(operations, names, bodyBytes), handlers, { ...gate, observe, admission })

  add(namesOf('anyone'), new OpenAdmission(admissionParts), dashboardLimits.anonymousBodyBytes)
  for (const role of roles) {
    const names = namesOf(role)
    const admission = (takesSlot: boolean) => new SessionAdmission(admissionParts, role, takesSlot)
    add(
      names.filter((name) => !endless.includes(name)),
      admission(true),
    )
    add(
      names.filter((name) => endless.includes(name)),
      admission(false),
    )
  }
  addUnknown(router)
  addPages(router)
}

function handlersOf(parts: DashboardParts): DashboardHandlers {
  return {
    ...sessionHandlers(parts),
    ...linkHandlers(parts),
    ...environmentHandlers(parts),
    ...keyHandlers(parts),
    ...memberHandlers(parts),
    ...invitationHandlers(parts),
    ...auditHandlers(parts),
    ...objectHandlers(parts),
    ...eventHandlers(parts),
    ...homeHandlers(parts),
    ...definitionHandlers(parts),
    ...contentHandlers(parts),
    ...inPlaceHandlers(parts),
    ...planHandlers(parts),
    ...themeHandlers(parts),
    ...resultHandlers(parts),
    ...countedRunHandlers(parts),
    ...targetHandlers(parts),
    ...versionHandlers(parts),
    ...segmentHandlers(parts),
    ...receiptHandlers(parts),
    ...installHandlers(parts),
    ...endpointHandlers(parts),
    ...deliveryHandlers(parts),
    ...replayHandlers(parts),
    ...usageHandlers(parts),
    ...systemHandlers(parts),
    ...searchHandlers(parts),
    ...liveHandlers(parts),
  }
}

type AnyHandler = (call: object) => unknown

/** Gives handlers their environment, and turns their answers into text. */
function adaptHandlers(handlers: DashboardHandlers, database: Database): Handlers<OperationTable, unknown> {
  const entries = Object.entries(handlers as Record<string, AnyHandler>).map(([name, handler]) => {
    const { path } = operations[name as OperationName]
    const run = path.includes('/:environment') ? inEnvironment(handler, database) : handler
    return [name, async (call: object): Promise<Awaited<Answer>> => toAnswer(await runHandler(run, call))] as const
  })
  return Object.fromEntries(entries)
}

function inEnvironment(handler: AnyHandler, database: Database): AnyHandler {
  return async (call) => {
    const { grant, params } = call as { grant: MemberCaller; params: { environment: string } }
    const environment = await findEnvironmentBySlug(database, grant.accountId, params.environment)
    if (!environment) throw errors.gone('Environment', params.environment)
    return await handler({ ...call, environment })
  }
}

/** Of two concurrent requests for the same name, PostgreSQL refuses one. */
async function runHandler(run: AnyHandler, call: object): Promise<unknown> {
  try {
    return await run(call)
  } catch (error) {
    throw isDuplicate(error) ? errors.conflict('Somebody else has just created the same. Reload the page.') : error
  }
}

function toAnswer(output: unknown): Awaited<Answer> {
  if (output instanceof Raw) return output.reply
  if (output instanceof WithHeaders) return { body: JSON.stringify(output.output), headers: output.headers }
  return JSON.stringify(output)
}

function namesOf(role: RequiredRole): string[] {
  return Object.entries(operations)
    .filter(([, operation]) => operation.role === role)
    .map(([name]) => name)
}

function pick(table: OperationTable, names: readonly string[], bodyBytes: number): OperationTable {
  return Object.fromEntries(names.map((name) => [name, { ...(table[name] as OperationTable[string]), bodyBytes }]))
}

/** Unknown paths below /app/api/ answer 404 without asking for an API key. */
function addUnknown(router: Router): void {
  const answer = (exchange: Exchange) => {
    exchange.setHeaders(apiHeaders)
    throw errors.unknownUrl(exchange.method, exchange.url.slice(0, 200))
  }
  for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const) router.add(method, '/app/api/*', { answer })
}
