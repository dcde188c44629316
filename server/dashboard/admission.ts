import { type RequiredRole, type Role, roles } from '../../contract/dashboard/paths.ts'
import type { Database } from '../database/database.ts'
import { errors } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import type { Exchange } from '../http/exchange.ts'
import type { RequestSlots } from '../http/slots.ts'
import type { Transport } from '../http/transport.ts'
import { useSession } from '../members/sessions.ts'
import type { Stranger, Visitor } from './call.ts'
import { readToken } from './cookies.ts'
import { apiHeaders } from './headers.ts'

export interface AdmissionParts {
  database: Database
  transport: Transport
  slots: RequestSlots
}

/** The place in the concurrency limit of those who are not signed in. */
const NOBODY = 0

/** Lets anybody in whose request comes from the dashboard itself. */
export class OpenAdmission implements Admission<Stranger> {
  readonly #parts: AdmissionParts

  constructor(parts: AdmissionParts) {
    this.#parts = parts
  }

  admit(exchange: Exchange): Stranger {
    return admitStranger(exchange, this.#parts.transport)
  }

  enter(exchange: Exchange): void | Promise<void> {
    return this.#parts.slots.enter(exchange, NOBODY)
  }
}

/** Lets members in who have the role. What goes on for as long as somebody watches takes no slot. */
export class SessionAdmission implements Admission<Visitor> {
  readonly #parts: AdmissionParts
  readonly #role: Role
  readonly #takesSlot: boolean

  constructor(parts: AdmissionParts, role: Role, takesSlot: boolean) {
    this.#parts = parts
    this.#role = role
    this.#takesSlot = takesSlot
  }

  async admit(exchange: Exchange): Promise<Visitor> {
    const stranger = admitStranger(exchange, this.#parts.transport)
    const token = readToken(exchange.request.headers.cookie, stranger.isSecure)
    const session = token === undefined ? undefined : await useSession(this.#parts.database, token)
    if (token === undefined || !session) throw errors.notSignedIn()
    if (!mayDo(session.role, this.#role)) throw errors.roleRequired(this.#role)
    return { ...stranger, accountId: session.account_id, session, token }
  }

  enter(exchange: Exchange, { accountId }: Visitor): void | Promise<void> {
    if (this.#takesSlot) return this.#parts.slots.enter(exchange, accountId)
  }
}

export function mayDo(role: Role, required: RequiredRole): boolean {
  return required === 'anyone' || roles.indexOf(role) >= roles.indexOf(required)
}

function admitStranger(exchange: Exchange, transport: Transport): Stranger {
  exchange.setHeaders(apiHeaders)
  checkOrigin(exchange, transport)
  return { address: transport.clientAddress(exchange), isSecure: transport.isSecure(exchange) }
}

/**
 * A browser names the site that a write comes from, and no page can change that. What names none is no browser that we
 * know: it is refused too.
 */
function checkOrigin(exchange: Exchange, transport: Transport): void {
  if (exchange.method === 'GET' || exchange.method === 'HEAD') return
  const { origin, host } = exchange.request.headers
  const own = [`${transport.isSecure(exchange) ? 'https' : 'http'}://${host}`, transport.origin(exchange)]
  if (origin === undefined || !own.includes(origin)) throw errors.crossSite()
}
