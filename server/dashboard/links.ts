import type { Link } from '../../contract/dashboard/session.ts'
import { lockAccount } from '../accounts/queries.ts'
import { record } from '../audit/record.ts'
import type { Database, OpenTransaction } from '../database/database.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { errors } from '../errors.ts'
import { newId } from '../ids.ts'
import { countLinkUse, forgetAttempt } from '../members/attempts.ts'
import { forgetBrowsers, rememberBrowser } from '../members/browsers.ts'
import { deleteOtherLinks, endLinksOf, findLink, type LinkRow, lockLink, markUsed } from '../members/link-queries.ts'
import { linkState } from '../members/links.ts'
import { hashPassword } from '../members/passwords.ts'
import {
  findMember,
  findMemberByEmail,
  hasOwner,
  insertMember,
  lockMembers,
  type MemberRow,
  updatePassword,
} from '../members/queries.ts'
import { deleteSessionsOf } from '../members/session-queries.ts'
import { createSession } from '../members/sessions.ts'
import { hashToken } from '../members/tokens.ts'
import type { AnonymousCaller, DashboardHandlers } from './call.ts'
import type { DashboardParts } from './parts.ts'
import { memberActor, signedIn } from './session.ts'

/** The input of a person who uses a link. */
interface Given {
  email?: string
  name?: string
  passwordHash: string
}

/** One-time links: the set-up of the owner, invitations, and new passwords. */
export function linkHandlers(parts: DashboardParts): Pick<DashboardHandlers, 'readLink' | 'useLink'> {
  const { database } = parts.services
  return {
    readLink: async ({ body: { token } }) => linkOutput(await findLink(database, hashToken(token))),

    useLink: async ({ grant, body: { token, password, email, name }, exchange }) => {
      const tokenHash = hashToken(token)
      // Checked before the expensive hashing: an invalid link is refused at once.
      const known = checkOpen(await findLink(database, tokenHash))
      await countLinkUse(database, grant.address, token)
      const address = known.kind === 'password' ? undefined : addressOf(known, { email })
      if (address !== undefined) await refuseTaken(database, tokenHash, address)
      const given = { ...(email && { email }), ...(name && { name }), passwordHash: await hashPassword(password) }
      const session = await inTransaction(database, async (transaction) => {
        // Before the link: who removes a member, or changes the password, locks the member first and then ends the link.
        if (known.member_id !== null) await lockMembers(transaction, known.account_id, [known.member_id])
        const link = checkOpen(await lockLink(transaction, tokenHash))
        const member = await memberOf(transaction, link, given, grant, exchange.id)
        await markUsed(transaction, link.id, new Date().toISOString())
        const { token: sessionToken } = await createSession(transaction, member.id)
        return { link, member, sessionToken, browser: await rememberBrowser(transaction, member.id, undefined) }
      })
      // Outside the transaction: a concurrent use of another link holds the lock of its row and waits for this transaction.
      if (session.link.kind === 'set_up') await deleteOtherLinks(database, session.link)
      await forgetAttempt(database, grant.address, session.member.email)
      return await signedIn(parts, session.sessionToken, grant, parts.apiUrl(exchange), session.browser)
    },
  }
}

/**
 * An address signs in to one account, so whoever uses an invitation learns whether it is a member of another. An invitation
 * tells that once: it is used up, and in the audit log. The lock lets of many concurrent uses one ask.
 */
async function refuseTaken(database: Database, tokenHash: Buffer, address: string): Promise<void> {
  const isTaken = await inTransaction(database, async (transaction) => {
    const link = checkOpen(await lockLink(transaction, tokenHash))
    const member = await findMemberByEmail(transaction, address)
    const isElsewhere = member !== undefined && member.account_id !== link.account_id
    if (isElsewhere && link.kind === 'invitation') await markUsed(transaction, link.id, new Date().toISOString())
    return member !== undefined
  })
  if (isTaken) throw errors.conflict(TAKEN)
}

const GONE = {
  used: 'This link was used. Print a new one: npx usher members link.',
  expired: 'This link has expired. Print a new one: npx usher members link.',
  unknown: 'This link is not known. Print a new one: npx usher members link.',
}

function checkOpen(link: LinkRow | undefined): LinkRow {
  const state = linkState(link)
  if (state !== 'open') throw errors.linkGone(GONE[state])
  return link as LinkRow
}

async function memberOf(
  transaction: OpenTransaction,
  link: LinkRow,
  given: Given,
  caller: AnonymousCaller,
  requestId: string,
): Promise<MemberRow> {
  const member =
    link.kind === 'password'
      ? await setPassword(transaction, link, given.passwordHash)
      : await createMember(transaction, link, given)
  await record(transaction, memberActor(member, caller, requestId), {
    action: link.kind === 'password' ? 'member.password_changed' : 'member.joined',
    target: { id: member.id, name: member.email },
    after: { role: member.role },
  })
  return member
}

async function setPassword(transaction: OpenTransaction, link: LinkRow, passwordHash: string): Promise<MemberRow> {
  const member = await findMember(transaction, link.account_id, link.member_id as string)
  if (!member) throw errors.linkGone('The member of this link was removed.')
  await updatePassword(transaction, member.id, passwordHash)
  await deleteSessionsOf(transaction, member.id)
  await forgetBrowsers(transaction, member.id)
  await endLinksOf(transaction, member.id, link.id)
  return member
}

async function createMember(transaction: OpenTransaction, link: LinkRow, given: Given): Promise<MemberRow> {
  const email = addressOf(link, given)
  if (link.kind === 'set_up') await checkNoOwner(transaction, link.account_id)
  const member = await insertMember(
    transaction,
    {
      id: newId(),
      account_id: link.account_id,
      email,
      name: given.name ?? (email.split('@')[0] as string),
      role: link.role ?? 'owner',
      password: given.passwordHash,
    },
    new Date().toISOString(),
  )
  if (!member) throw errors.conflict(TAKEN)
  return member
}

/** An address signs in to one account. It is not said to which. */
const TAKEN =
  'This e-mail address cannot be used. If you are a member already, sign in instead; if not, ask for an invitation for another address.'

function addressOf(link: LinkRow, { email }: { email?: string | undefined }): string {
  const address = link.email ?? email
  if (address === undefined) throw errors.invalidParams(['email: is required'])
  return address
}

/** Of two set-up links used at the same time, the second waits for this lock and then finds the owner of the first. */
async function checkNoOwner(transaction: OpenTransaction, accountId: number): Promise<void> {
  await lockAccount(transaction, accountId)
  if (await hasOwner(transaction, accountId))
    throw errors.linkGone('The account has an owner already. Sign in instead.')
}

function linkOutput(link: LinkRow | undefined): Link {
  const state = linkState(link)
  const shown = state === 'open' ? link : undefined
  return {
    kind: link?.kind ?? 'set_up',
    state,
    account_name: shown?.account_name ?? null,
    email: shown?.email ?? null,
    role: shown?.role ?? null,
    invited_by: shown?.invited_by ?? null,
    expires_at: shown?.expires_at ?? null,
  }
}
