import type { Operations, Output } from '../../contract/dashboard/operations.ts'
import type { OperationName } from '../../contract/dashboard/paths.ts'
import type { AccountEnvironment } from '../accounts/environment-queries.ts'
import type { Actor } from '../audit/record.ts'
import type { Call } from '../http/operation.ts'
import type { Reply, ReplyHeaders } from '../http/reply.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { SessionRow } from '../members/session-queries.ts'

/** The caller of an operation that needs no session. */
export interface AnonymousCaller {
  /** Where the request comes from. */
  address: string
  isSecure: boolean
  /** The token that a browser keeps after a sign-in. */
  browser: string | undefined
}

/** A member who is signed in. */
export interface MemberCaller extends AnonymousCaller {
  accountId: number
  session: SessionRow
  token: string
}

type GrantOf<Name extends OperationName> = Operations[Name]['role'] extends 'anyone' ? AnonymousCaller : MemberCaller

/** An operation in an environment also gets the environment. It belongs to the account of the member. */
type EnvironmentOf<Name extends OperationName> = Operations[Name]['path'] extends `${string}/:environment${string}`
  ? { environment: AccountEnvironment }
  : unknown

export type DashboardCall<Name extends OperationName> = Call<Operations[Name], GrantOf<Name>> & EnvironmentOf<Name>

/** An answer with headers of its own, such as a cookie. */
export class WithHeaders<T> {
  readonly output: T
  readonly headers: ReplyHeaders

  constructor(output: T, headers: ReplyHeaders) {
    this.output = output
    this.headers = headers
  }
}

/** An answer that is not JSON. */
export class Raw {
  readonly reply: Reply

  constructor(reply: Reply) {
    this.reply = reply
  }
}

type Answered<Name extends OperationName> = Output<Name> | WithHeaders<Output<Name>> | Raw

/** A handler for every operation of the table. The type of its answer is that of the schema. */
export type DashboardHandlers = {
  [Name in OperationName]: (call: DashboardCall<Name>) => MaybePromise<Answered<Name>>
}

export const DONE = { done: true } as const

/** The member as the audit log names it. */
export function actorOf({ grant, exchange }: { grant: MemberCaller; exchange: { id: string } }): Actor {
  const { id, name } = grant.session
  return { accountId: grant.accountId, kind: 'member', id, name, address: grant.address, requestId: exchange.id }
}
