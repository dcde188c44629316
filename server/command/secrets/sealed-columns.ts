import { sealedIdentitySecrets } from '../../sdk/identity.ts'
import { sealedVisitorKeys } from '../../sdk/settings.ts'
import type { SealedColumn } from '../../secrets/sealed-column.ts'
import { sealedSubscriptions } from '../../subscriptions/secrets.ts'
import { sealedAnswers } from '../../writes/answer-write.ts'

/** Their rows are few, and stay. */
export const sealedForLong: readonly SealedColumn[] = [...sealedSubscriptions, sealedIdentitySecrets, sealedVisitorKeys]

/** Everything that is sealed. The rows of stored answers are many, and go after a day. */
export const sealedColumns: readonly SealedColumn[] = [...sealedForLong, sealedAnswers]
