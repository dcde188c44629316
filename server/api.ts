import type { operations } from '../contract/operations.ts'
import type { Grant } from './accounts/keyring.ts'
import type { Handlers } from './http/operation.ts'

/** A handler for each operation of the contract. Each domain implements some of them: `{ … } satisfies Partial<ApiHandlers>`. */
export type ApiHandlers = Handlers<typeof operations, Grant>
