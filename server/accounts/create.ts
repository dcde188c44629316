import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import type { PlanName } from '../../contract/plans.ts'
import type { EnvironmentId, OpenTransaction } from '../database/database.ts'
import { errors } from '../errors.ts'
import { insertEnvironment, listEnvironmentsOf } from './environment-queries.ts'
import { insertKey } from './key-queries.ts'
import { hashKey, keyHints, newKey } from './keys.ts'
import { type AccountRow, insertAccount } from './queries.ts'

/** Every account starts with these environments. */
export const FIRST_ENVIRONMENTS = ['Production', 'Staging'] as const

export interface NewAccount {
  account: AccountRow
  environments: { id: EnvironmentId; name: string }[]
}

/** Returns undefined when the name is taken. */
export async function createAccount(
  transaction: OpenTransaction,
  name: string,
  plan: PlanName,
  at: string,
): Promise<NewAccount | undefined> {
  const account = await insertAccount(transaction, name, plan, at)
  if (!account) return undefined
  const environments: NewAccount['environments'] = []
  for (const environmentName of FIRST_ENVIRONMENTS) {
    const id = await insertEnvironment(transaction, account.id, environmentName, at)
    if (id !== undefined) environments.push({ id, name: environmentName })
  }
  return { account, environments }
}

/** Returns undefined when the name is taken. Throws when the account has as many as it may. The account has to be locked. */
export async function createEnvironment(
  transaction: OpenTransaction,
  accountId: number,
  name: string,
  at: string,
): Promise<EnvironmentId | undefined> {
  const others = await listEnvironmentsOf(transaction, accountId)
  if (others.length >= dashboardLimits.environmentsPerAccount)
    throw errors.conflict(`An account has at most ${dashboardLimits.environmentsPerAccount} environments.`)
  return await insertEnvironment(transaction, accountId, name, at)
}

/** Only the answer contains the key. The database stores a hash. */
export async function createKey(
  transaction: OpenTransaction,
  environmentId: EnvironmentId,
  at: string,
  { key = newKey(), name, createdBy }: { key?: string | undefined; name?: string; createdBy?: string } = {},
): Promise<{ id: number | undefined; key: string }> {
  const row = { hash: hashKey(key), ...keyHints(key), name: name ?? '', createdBy }
  const id = await insertKey(transaction, environmentId, row, at)
  return { id, key }
}
