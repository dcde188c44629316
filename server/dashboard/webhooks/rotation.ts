import { newSecret } from '../../../contract/signature.ts'
import type { Work } from '../../batches/queue.ts'
import type { EnvironmentId } from '../../database/database.ts'

export interface Rotation {
  id: string
  secret: string
}

export function newRotation(id: string): Rotation {
  return { id, secret: newSecret() }
}

/** The old secret signs nothing from now on. */
export function rotateSecrets(
  onChange: (environmentId: EnvironmentId, subscriptionId: string) => void,
): Work<Rotation, true> {
  return async (transaction, environmentId, jobs) => {
    for (const { id, secret } of jobs)
      await transaction.query(
        'update webhook_subscriptions set secret = $3::text where environment_id = $1::int and id = $2::uuid',
        [environmentId, id, secret],
      )
    transaction.afterCommit(() => {
      for (const { id } of jobs) onChange(environmentId, id)
    })
    return jobs.map(() => true)
  }
}
