import type { Transaction } from '../database/database.ts'
import { sortedUnique } from '../database/lock-order.ts'
import type { ApiError } from '../errors.ts'

/**
 * Why the one who asks may not make a change; undefined when they may. It is asked in the transaction of the change, which holds
 * it until the commit: it may have been taken away while the change waited for its turn. A change that counts for users at once
 * (`isLive`) may need more than one of a draft.
 */
export interface Right {
  (transaction: Transaction, isLive: boolean): Promise<ApiError | undefined>
  /** Who asks. */
  readonly memberId: string
}

/**
 * Locks the members of one batch in the order in which a change of members locks them (`lockMembers`): neither of the two waits
 * for the other. One member needs no order. What their rights are is asked with the changes, each after those before it.
 */
export async function lockAsking(transaction: Transaction, rights: readonly (Right | undefined)[]): Promise<void> {
  const byMember = new Map(rights.flatMap((right) => (right ? [[right.memberId, right] as const] : [])))
  if (byMember.size < 2) return
  for (const id of sortedUnique([...byMember.keys()])) await byMember.get(id)?.(transaction, false)
}
