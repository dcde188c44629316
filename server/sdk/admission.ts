import { ANONYMOUS_PREFIX } from '../../contract/sdk/identity.ts'
import { sdkLimits } from '../../contract/sdk/limits.ts'
import { errors } from '../errors.ts'
import type { Admission } from '../http/admission.ts'
import type { Exchange } from '../http/exchange.ts'
import { isPlainText } from '../http/negotiation.ts'
import type { RequestSlots } from '../http/slots.ts'
import type { Transport } from '../http/transport.ts'
import { after, type MaybePromise } from '../maybe-promise.ts'
import { corsHeaders } from './cors.ts'
import type { PublicDirectory, PublicSide } from './directory.ts'
import { allowedBy } from './origins.ts'
import type { PageLimits } from './page-limits.ts'
import type { RefusedOrigins } from './refused-origins.ts'
import type { PublicUses } from './uses.ts'
import { readVisitor, type Visitor } from './visitor.ts'

/** A page whose token is good. */
export interface PageCaller {
  side: PublicSide
  address: string
  /** Of the allowed origins, that of the page; undefined for a program, which sends none. */
  origin?: string | undefined
}

/** A page whose user has been identified. */
export interface VisitorCaller extends PageCaller {
  visitor: Visitor
}

export interface PageAdmissionParts {
  directory: PublicDirectory
  transport: Transport
  slots: RequestSlots
  limits: PageLimits
  uses: PublicUses
  refusedOrigins: RefusedOrigins
  now: () => number
}

/**
 * Admits pages with a public token, from an origin that the environment allows. A page that is being left cannot set headers:
 * it sends `text/plain` with the tokens in the body, and is admitted when the body is there.
 */
export class PageAdmission implements Admission<PageCaller> {
  readonly parts: PageAdmissionParts

  constructor(parts: PageAdmissionParts) {
    this.parts = parts
  }

  admit(exchange: Exchange): MaybePromise<PageCaller> {
    exchange.setHeaders(corsHeaders)
    const { directory, transport, limits } = this.parts
    const address = transport.clientAddress(exchange)
    limits.takeAddress(address)
    const { authorization } = exchange.request.headers
    return after(directory.find(authorization), (side) => {
      const caller = { side, address }
      this.recognise(exchange, caller, exchange.request.headers['usher-visitor'])
      return caller
    })
  }

  enter(exchange: Exchange, { side }: PageCaller): MaybePromise<void> {
    // Negative, so that the pages of an account wait beside its API and not before it.
    return this.parts.slots.enter(exchange, -side.accountId)
  }

  protected recognise(exchange: Exchange, caller: PageCaller, _visitor: string | string[] | undefined): void {
    const { side } = caller
    exchange.environmentId = side.environmentId
    exchange.accountId = side.accountId
    exchange.grant = caller
    this.parts.uses.useToken(side.tokenId)
    const { origin } = exchange.request.headers
    if (origin === undefined) return
    caller.origin = allowedBy(side.origins, origin)
    if (caller.origin !== undefined) return
    this.parts.refusedOrigins.add(side.environmentId, origin)
    throw errors.originNotAllowed(origin.slice(0, sdkLimits.originCharacters))
  }
}

/** Admits visitors: pages that also have a visitor token. */
export class VisitorAdmission extends PageAdmission implements Admission<VisitorCaller> {
  readonly #takesSlot: boolean

  constructor(parts: PageAdmissionParts, takesSlot = true) {
    super(parts)
    this.#takesSlot = takesSlot
  }

  override admit(exchange: Exchange): MaybePromise<VisitorCaller> {
    const { headers } = exchange.request
    if (headers.authorization !== undefined || !isPlainText(headers['content-type']))
      return super.admit(exchange) as MaybePromise<VisitorCaller>
    exchange.setHeaders(corsHeaders)
    const address = this.parts.transport.clientAddress(exchange)
    this.parts.limits.takeAddress(address)
    // The rest follows in `enter`, before anything else uses it.
    return { address } as VisitorCaller
  }

  override enter(exchange: Exchange, caller: VisitorCaller): MaybePromise<void> {
    const isKnown = caller.side === undefined ? this.#readBody(exchange, caller) : undefined
    return after(isKnown, () => (this.#takesSlot ? super.enter(exchange, caller) : undefined))
  }

  #readBody(exchange: Exchange, caller: VisitorCaller): MaybePromise<void> {
    const { token, visitor } = tokensOf(exchange.bytes)
    return after(this.parts.directory.find(`Bearer ${token}`), (side) => {
      caller.side = side
      this.recognise(exchange, caller, visitor)
    })
  }

  protected override recognise(exchange: Exchange, caller: PageCaller, token: string | string[] | undefined): void {
    super.recognise(exchange, caller, token)
    const { side } = caller
    const visitor =
      typeof token === 'string' && readVisitor(side.visitorKey, side.environmentId, token, this.parts.now())
    if (!visitor || lacksProof(side, visitor)) throw errors.visitorExpired()
    this.parts.limits.takeBrowser(side, visitor.browserId)
    ;(caller as VisitorCaller).visitor = visitor
  }
}

/** Whether a visitor that was admitted would be admitted again, by what is set now. */
export function isStillAdmitted(now: PublicSide, { side, visitor, origin }: VisitorCaller): boolean {
  const isSame = now.environmentId === side.environmentId && !lacksProof(now, visitor)
  return isSame && (origin === undefined || now.origins.includes(origin))
}

/**
 * The secret that has signed its proof was revoked, or it has no proof and is from before the environment required one. Nobody
 * can prove to be an anonymous visitor, and need not.
 */
function lacksProof({ identity, secrets }: PublicSide, { isVerified, secretId, userId }: Visitor): boolean {
  // A node of an earlier version beside this one names no secret in its tokens.
  if (isVerified) return secretId !== null && !secrets.some(({ id }) => id === secretId)
  return identity === 'required' && !userId.startsWith(ANONYMOUS_PREFIX)
}

/** The schema refuses a body that is not JSON, after the tokens. */
function tokensOf(bytes: Buffer | undefined): { token?: string; visitor?: string } {
  try {
    const { token, visitor } = JSON.parse(bytes?.toString() ?? '') as { token?: unknown; visitor?: unknown }
    return { ...(typeof token === 'string' && { token }), ...(typeof visitor === 'string' && { visitor }) }
  } catch {
    return {}
  }
}
