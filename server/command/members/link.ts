import { type AccountRow, listAccounts } from '../../accounts/queries.ts'
import { commandActor, record } from '../../audit/record.ts'
import type { Database } from '../../database/database.ts'
import { inTransaction } from '../../database/in-transaction.ts'
import { errors } from '../../errors.ts'
import { createLink } from '../../members/links.ts'
import { listMembers, lockMembers, type MemberRow } from '../../members/queries.ts'
import { createSetUpLink } from '../../members/set-up.ts'
import { serverAddress } from '../../process/running-server.ts'
import { StartupError } from '../../startup-error.ts'
import { command } from '../command.ts'
import { listNames } from '../names.ts'
import { withDatabase } from '../with-database.ts'

export const membersLink = command({
  summary: 'Print a one-time link: it sets up the owner, or a new password for a member',
  parameters: [],
  options: {
    account: {
      type: 'string',
      value: 'NAME',
      description: 'the account of the owner; the first one when it is left out',
    },
    email: { type: 'string', value: 'ADDRESS', description: 'the member; needed when there are several owners' },
  },
  async run({ config, options }) {
    const settings = config()
    return await withDatabase(settings, async (database) => {
      const account = options.account === undefined ? undefined : await findAccount(database, options.account)
      // Whoever names a member wants a link for that member, and not one that makes an owner.
      const setUp = options.email === undefined ? await createSetUpLink(database, account?.id) : undefined
      const path = setUp ?? (await passwordLink(database, account, options.email))
      const url = serverAddress(settings) + path
      return { text: url, json: { url }, hint: 'It works once, for 24 hours.' }
    })
  },
})

/** For the only owner, unless a member is named. */
async function passwordLink(
  database: Database,
  account: AccountRow | undefined,
  email: string | undefined,
): Promise<string> {
  const found = await findMember(database, account, email)
  return await inTransaction(database, async (transaction) => {
    // As a link of the dashboard: of two that are made at the same time the later one works.
    const locked = await lockMembers(transaction, found.account_id, [found.id])
    const member = locked.find(({ id }) => id === found.id)
    if (!member) throw errors.gone('Member', found.email)
    const request = {
      accountId: member.account_id,
      kind: 'password',
      memberId: member.id,
      email: member.email,
    } as const
    const link = await createLink(transaction, request)
    const target = { id: member.id, name: member.email }
    await record(transaction, commandActor(member.account_id), { action: 'member.link_created', target })
    return link.path
  })
}

async function findAccount(database: Database, name: string): Promise<AccountRow> {
  const accounts = await listAccounts(database)
  const account = accounts.find((row) => row.name === name)
  if (!account) throw new StartupError(`There is no account ${name}; there are: ${listNames(accounts) || 'none'}.`)
  return account
}

async function findMember(
  database: Database,
  account: AccountRow | undefined,
  email: string | undefined,
): Promise<MemberRow> {
  const accounts = account ? [account] : await listAccounts(database)
  const members = (await Promise.all(accounts.map(({ id }) => listMembers(database, id)))).flat()
  const wanted = email?.toLowerCase()
  const found = members.filter((row) =>
    wanted === undefined ? row.role === 'owner' : row.email.toLowerCase() === wanted,
  )
  const [member, ...others] = found
  if (!member) throw new StartupError(`There is no member ${email}; there are: ${names(members) || 'none'}.`)
  if (others.length > 0) throw new StartupError(`There are several owners: say which with --email (${names(found)}).`)
  return member
}

function names(members: readonly MemberRow[]): string {
  return listNames(members.map(({ email }) => ({ name: email })))
}
