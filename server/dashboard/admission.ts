import { type RequiredRole, type Role, roles } from '../../contract/dashboard/paths.ts'
import type { Database } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import type { Exchange } from '../http/exchange.ts'
import type { RequestSlots } from '../http/slots.ts'
import type { Transport } from '../http/transport.ts'
import { useSession } from '../members/sessions.ts'
import type { AnonymousCaller, MemberCaller } from './call.ts'
import { readToken } from './cookies.ts'
import { apiHeaders } from './headers.ts'

export interface AdmissionParts {
  database: Database
  transport: Transport
  slots: RequestSlots
}

/** The account of callers without a session, for the concurrency limit. */
const NOBODY = 0

/** Admits every caller whose request comes from the dashboard itself. */
export class OpenAdmission implements Admission<AnonymousCaller> {
  readonly #parts: AdmissionParts

  constructor(parts: AdmissionParts) {
    this.#parts = parts
  }

  admit(exchange: Exchange): AnonymousCaller {
    return admitAnonymous(exchange, this.#parts.transport)
  }

  enter(exchange: Exchange): void | Promise<void> {
    return this.#parts.slots.enter(exchange, NOBODY)
  }
}

/** Admits members who have the role. Endless streams take no slot. */
export class SessionAdmission implements Admission<MemberCaller> {
  readonly #parts: AdmissionParts
  readonly #role: Role
  readonly #takesSlot: boolean

  constructor(parts: AdmissionParts, role: Role, takesSlot: boolean) {
    this.#parts = parts
    this.#role = role
    this.#takesSlot = takesSlot
  }

  async admit(exchange: Exchange): Promise<MemberCaller> {
    const anonymous = admitAnonymous(exchange, this.#parts.transport)
    const token = readToken(exchange.request.headers.cookie, anonymous.isSecure)
    const session = token === undefined ? undefined : await useSession(this.#parts.database, token)
    if (token === undefined || !session) throw errors.notSignedIn()
    exchange.accountId = session.account_id
    this.#checkRole(session)
    return { ...anonymous, accountId: session.account_id, session, token }
  }

  /** Who sends a body slowly may have been signed out, removed or demoted meanwhile. */
  async enter(exchange: Exchange, caller: MemberCaller): Promise<void> {
    if (this.#takesSlot) await this.#parts.slots.enter(exchange, caller.accountId)
    if (exchange.bytes === undefined) return
    const session = await useSession(this.#parts.database, caller.token)
    if (!session) throw errors.notSignedIn()
    this.#checkRole(session)
    caller.session = session
  }

  #checkRole({ role }: { role: Role }): void {
    if (!mayDo(role, this.#role)) throw errors.roleRequired(this.#role)
  }
}

function mayDo(role: Role, required: RequiredRole): boolean {
  return required === 'anyone' || roles.indexOf(role) >= roles.indexOf(required)
}

function admitAnonymous(exchange: Exchange, transport: Transport): AnonymousCaller {
  exchange.setHeaders(apiHeaders)
  checkOrigin(exchange, transport)
  const isSecure = transport.isSecure(exchange)
  const browser = readToken(exchange.request.headers.cookie, isSecure, 'browser')
  return { address: transport.clientAddress(exchange), isSecure, browser }
}

/**
 * A browser sends the origin of a write, and no page can change it. A request without an origin is refused too: every
 * supported browser sends one.
 */
function checkOrigin(exchange: Exchange, transport: Transport): void {
  if (exchange.method === 'GET' || exchange.method === 'HEAD') return
  const { origin, host } = exchange.request.headers
  const own = [`${transport.isSecure(exchange) ? 'https' : 'http'}://${host}`, transport.origin(exchange)]
  if (origin === undefined || !own.includes(origin)) throw errors.crossSite()
}
