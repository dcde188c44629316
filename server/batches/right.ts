import type { Transaction } from '../database/database.ts'
import type { ApiError } from '../errors.ts'

/**
 * Why the one who asks may not make a change; undefined when they may. It is asked in the transaction of the change, which holds
 * it until the commit: it may have been taken away while the change waited for its turn. A change that counts for users at once
 * (`isLive`) may need more than one of a draft.
 */
export type Right = (transaction: Transaction, isLive: boolean) => Promise<ApiError | undefined>
