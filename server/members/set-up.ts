import { findFirstAccount } from '../accounts/queries.ts'
import type { Database } from '../database/database.ts'
import { hasSetUpLink } from './link-queries.ts'
import { createLink } from './links.ts'
import { hasOwner } from './queries.ts'

/**
 * The path of a new one-time link for the owner to set e-mail and password: of this account, or of the first. Undefined once
 * there is an owner. It is printed,
 * never sent: only a person who sees the output of the server can use it. Earlier links work too, so that two nodes that
 * start together print two valid links. The first use deletes all others.
 */
export async function createSetUpLink(database: Database, accountId?: number): Promise<string | undefined> {
  if (await hasOwner(database, accountId)) return undefined
  const account = accountId === undefined ? await findFirstAccount(database) : { id: accountId }
  return account && (await createLink(database, { accountId: account.id, kind: 'set_up', role: 'owner' })).path
}

/** For a start of the server: the link is made and printed once, not at each start until it is used. */
export async function createFirstSetUpLink(
  database: Database,
): Promise<{ path: string | undefined; hasOwner: boolean }> {
  if (await hasOwner(database)) return { path: undefined, hasOwner: true }
  const path = (await hasSetUpLink(database)) ? undefined : await createSetUpLink(database)
  return { path, hasOwner: false }
}
