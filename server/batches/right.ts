import type { Transaction } from '../database/database.ts'
import type { ApiError } from '../errors.ts'

/**
 * Why the one who asks may not change what users see; undefined when they may. It is asked in the transaction of the change,
 * which holds it until the commit: it may have been taken away while the change waited for its turn.
 */
export type Right = (transaction: Transaction) => Promise<ApiError | undefined>
