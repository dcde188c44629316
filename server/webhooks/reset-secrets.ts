import { newSecret } from '../../contract/signature.ts'
import type { Database } from '../database/database.ts'
import { eachEnvironment } from '../database/each-environment.ts'
import { inTransaction } from '../database/in-transaction.ts'
import { deleteKeyIds } from '../secrets/queries.ts'
import type { SharedSecrets } from '../secrets/shared-secrets.ts'
import { deleteSealedAnswers, lockSealed, updateSecrets } from '../subscriptions/queries.ts'
import { placeOf } from '../subscriptions/secrets.ts'

export interface ResetSubscription {
  id: string
  url: string
  secret: string
}

/**
 * Gives every subscription with sealed secrets a new one, since their key is lost. `open` opens the box of the key that is here.
 */
export async function resetSecrets(
  database: Database,
  open: () => Promise<SharedSecrets>,
): Promise<ResetSubscription[]> {
  await inTransaction(database, deleteKeyIds)
  const secrets = await open()
  const reset: ResetSubscription[] = []
  await eachEnvironment(database, async (environmentId) => {
    await inTransaction(database, async (transaction) => {
      for (const { id, url } of await lockSealed(transaction, environmentId)) {
        const secret = newSecret()
        await updateSecrets(transaction, environmentId, id, secrets.seal(secret, placeOf(environmentId, id)), [])
        reset.push({ id, url, secret })
      }
      await deleteSealedAnswers(transaction, environmentId)
    })
  })
  return reset
}
