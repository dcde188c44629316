import { changeControl } from '../accounts/change.ts'
import { lockPresentEnvironment } from '../accounts/environment-queries.ts'
import { type Action, type Actor, record } from '../audit/record.ts'
import type { Right } from '../batches/right.ts'
import type { Database, EnvironmentId, OpenTransaction } from '../database/database.ts'

/** Who changes the public side of which environment. */
export interface PublicChange {
  actor: Actor
  environment: { id: EnvironmentId; slug: string }
  at?: string
  /** Of a member. The command line may change everything. */
  right?: Right
}

export interface ChangeRecord {
  action: Action
  target: { id: string | number; name?: string | null }
  before?: object
  after?: object
}

/** Changes the public side, and records it in the same transaction. Every node knows of it within a second. */
export async function changePublicSide<T>(
  database: Database,
  { actor, environment, right }: PublicChange,
  change: (transaction: OpenTransaction) => Promise<{ result: T; entry: ChangeRecord | undefined }>,
): Promise<T> {
  return await changeControl(database, async (transaction) => {
    const refusal = await right?.(transaction, true)
    if (refusal) throw refusal
    await lockPresentEnvironment(transaction, environment.id, environment.slug)
    const { result, entry } = await change(transaction)
    if (entry) await record(transaction, actor, { ...entry, environment: environment.slug })
    return result
  })
}
