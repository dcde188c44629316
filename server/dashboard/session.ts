import type { Session } from '../../contract/dashboard/session.ts'
import { plans } from '../../contract/plans.ts'
import { listEnvironmentsOf } from '../accounts/environment-queries.ts'
import { type Actor, record } from '../audit/record.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { errors } from '../errors.ts'
import { countAttempt, forgetAttempt } from '../members/attempts.ts'
import { forgetBrowsers, isKnownBrowser, rememberBrowser } from '../members/browsers.ts'
import { endLinksOf } from '../members/link-queries.ts'
import { hashPassword, isPassword } from '../members/passwords.ts'
import {
  findMemberByEmail,
  findPassword,
  hasOwner,
  keepPassword,
  lockMemberName,
  type MemberRow,
  updateMemberName,
  updatePassword,
} from '../members/queries.ts'
import { deleteSession, deleteSessionsOf } from '../members/session-queries.ts'
import { createSession, useSession } from '../members/sessions.ts'
import { hashToken } from '../members/tokens.ts'
import { VERSION } from '../version.ts'
import { type AnonymousCaller, actorOf, type DashboardHandlers, DONE, WithHeaders } from './call.ts'
import { browserCookie, endedCookie, sessionCookie } from './cookies.ts'
import { environmentOutput } from './environments.ts'
import type { DashboardParts } from './parts.ts'

type Names = 'getWelcome' | 'signIn' | 'getSession' | 'signOut' | 'changePassword' | 'updateProfile'

/** Signing in and out, and who is signed in. */
export function sessionHandlers(parts: DashboardParts): Pick<DashboardHandlers, Names> {
  const { database } = parts.services
  return {
    getWelcome: async () => ({ has_owner: await hasOwner(database), version: VERSION }),

    signIn: async ({ grant, body: { email, password }, exchange }) => {
      const member = await findMemberByEmail(database, email)
      const isKnown = member !== undefined && (await isKnownBrowser(database, member.id, grant.browser))
      const browser = isKnown ? grant.browser : undefined
      await countAttempt(database, grant.address, email, browser)
      const isRight = await isPassword(password, member?.password)
      const actor = member && memberActor(member, grant, exchange.id)
      const target = member && { id: member.id, name: member.email }
      if (!isRight && actor && target) await record(database, actor, { action: 'session.sign_in_failed', target })
      if (!isRight || !actor || !target) throw errors.wrongCredentials()
      await forgetAttempt(database, grant.address, email, browser)
      const { token, remembered } = await inTransaction(database, async (transaction) => {
        // To check a password takes a while. It may be changed since it was read.
        if (!(await keepPassword(transaction, member.id, member.password))) throw errors.wrongCredentials()
        await record(transaction, actor, { action: 'session.signed_in', target })
        const session = await createSession(transaction, target.id)
        return { ...session, remembered: await rememberBrowser(transaction, target.id, browser) }
      })
      return await signedIn(parts, token, grant, parts.apiUrl(exchange), remembered)
    },

    getSession: async ({ grant, exchange }) => await sessionOutput(parts, grant.token, parts.apiUrl(exchange)),

    signOut: async ({ grant }) => {
      await deleteSession(database, hashToken(grant.token))
      return new WithHeaders(DONE, { 'set-cookie': endedCookie(grant.isSecure) })
    },

    changePassword: async (call) => {
      const { grant, body, exchange } = call
      const { id, email } = grant.session
      const known = (await isKnownBrowser(database, id, grant.browser)) ? grant.browser : undefined
      await countAttempt(database, grant.address, email, known)
      const current = await findPassword(database, id)
      if (current === undefined) throw errors.notSignedIn()
      if (!(await isPassword(body.current_password, current))) throw wrongPassword()
      await forgetAttempt(database, grant.address, email, known)
      const password = await hashPassword(body.new_password)
      const { token, browser } = await inTransaction(database, async (transaction) => {
        if (!(await keepPassword(transaction, id, current)))
          throw (await findPassword(transaction, id)) === undefined ? errors.notSignedIn() : wrongPassword()
        await updatePassword(transaction, id, password)
        await deleteSessionsOf(transaction, id)
        await forgetBrowsers(transaction, id)
        await endLinksOf(transaction, id)
        await record(transaction, actorOf(call), { action: 'member.password_changed', target: { id, name: email } })
        const session = await createSession(transaction, id)
        return { ...session, browser: await rememberBrowser(transaction, id, undefined) }
      })
      return await signedIn(parts, token, grant, parts.apiUrl(exchange), browser)
    },

    updateProfile: async (call) => {
      const { grant, body, exchange } = call
      const { id, email } = grant.session
      await inTransaction(database, async (transaction) => {
        const name = await lockMemberName(transaction, id)
        if (name === undefined) throw errors.notSignedIn()
        await updateMemberName(transaction, id, body.name)
        const entry = { target: { id, name: email }, before: { name }, after: { name: body.name } }
        await record(transaction, actorOf(call), { action: 'member.renamed', ...entry })
      })
      return await sessionOutput(parts, grant.token, parts.apiUrl(exchange))
    },
  }
}

const wrongPassword = () => errors.invalidParams(['current_password: is wrong'])

export function memberActor(
  { id, name, account_id }: MemberRow,
  { address }: AnonymousCaller,
  requestId: string,
): Actor {
  return { accountId: account_id, kind: 'member', id, name, address, requestId }
}

/** The session of a new token, with its cookie, and that of the browser. */
export async function signedIn(
  parts: DashboardParts,
  token: string,
  { isSecure }: AnonymousCaller,
  apiUrl: string,
  browser: string,
): Promise<WithHeaders<Session>> {
  const cookies = [sessionCookie(token, isSecure), browserCookie(browser, isSecure)]
  return new WithHeaders(await sessionOutput(parts, token, apiUrl), { 'set-cookie': cookies })
}

export async function sessionOutput({ services }: DashboardParts, token: string, apiUrl: string): Promise<Session> {
  const session = await useSession(services.database, token)
  if (!session) throw errors.notSignedIn()
  const { id, email, name, role, created_at, account_name, plan, idle_hours, expires_at } = session
  const environments = await listEnvironmentsOf(services.database, session.account_id)
  return {
    member: { id, email, name, role, created_at },
    account: { name: account_name, plan, has_groups: plans[plan].groups, idle_hours },
    environments: environments.map(environmentOutput),
    api_url: apiUrl,
    version: VERSION,
    expires_at,
  }
}
