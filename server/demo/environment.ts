import { dashboardLimits } from '../../contract/dashboard/limits.ts'
import { changeControl } from '../accounts/change.ts'
import { DEMO } from '../accounts/demo-name.ts'
import { insertEnvironment, listEnvironmentsOf } from '../accounts/environment-queries.ts'
import { findFirstAccount, lockAccount } from '../accounts/queries.ts'
import { type Actor, commandActor, record } from '../audit/record.ts'
import type { Database, EnvironmentId, OpenTransaction, Queryable } from '../database/database.ts'
import { errors } from '../errors.ts'
import { newSecret } from '../sdk/identity.ts'
import { insertSecret } from '../sdk/secret-queries.ts'
import { ensureSettings } from '../sdk/settings.ts'
import { insertToken, listTokens } from '../sdk/token-queries.ts'
import { newPublicToken } from '../sdk/tokens.ts'
import type { SecretBox } from '../secrets/secret-box.ts'

export interface DemoEnvironment {
  id: EnvironmentId
  token: string
}

/** Undefined before the page was opened for the first time. */
async function findDemo(db: Queryable, accountId: number): Promise<DemoEnvironment | undefined> {
  const environment = (await listEnvironmentsOf(db, accountId)).find(({ name }) => name === DEMO)
  if (!environment) return undefined
  const own = (await listTokens(db, environment.id)).find((one) => one.created_by === DEMO && one.revoked_at === null)
  if (own) return { id: environment.id, token: own.token }
  throw errors.conflict(
    `There is an environment ${DEMO} that this page did not make, or whose public token was revoked. Rename or delete it: the page makes its own.`,
  )
}

/** An environment of its own with a public token: nothing that was there before is touched. Pages of localhost may use it. */
export async function openDemo(database: Database, box: SecretBox): Promise<DemoEnvironment> {
  const account = await findFirstAccount(database)
  if (!account) throw errors.conflict('There is no account yet.')
  const actor: Actor = { ...commandActor(account.id), name: DEMO }
  return (
    (await findDemo(database, account.id)) ??
    (await changeControl(database, async (transaction) => {
      await lockAccount(transaction, account.id)
      return (await findDemo(transaction, account.id)) ?? (await createDemo(transaction, box, actor))
    }))
  )
}

async function createDemo(transaction: OpenTransaction, box: SecretBox, actor: Actor): Promise<DemoEnvironment> {
  const others = await listEnvironmentsOf(transaction, actor.accountId)
  const at = new Date().toISOString()
  const isFull = others.length >= dashboardLimits.environmentsPerAccount
  const id = isFull ? undefined : await insertEnvironment(transaction, actor.accountId, DEMO, at)
  if (id === undefined) throw errors.conflict('The account cannot have another environment. Delete one first.')
  await record(transaction, actor, { action: 'environment.created', target: { id, name: DEMO } })
  await ensureSettings(transaction, box, id)
  await insertSecret(transaction, id, newSecret(box, id, actor.name, at).row)
  const { token } = await insertToken(transaction, id, newPublicToken(), 'Demo page', actor.name, at)
  return { id, token }
}
