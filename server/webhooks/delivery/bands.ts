/** What a delivery waits for; the column `band` of webhook_deliveries. */
export const FRESH = 0
export const RETRY = 1
/** A retry that the receiver asked to be spared until a time: it is not pulled forward when the receiver recovers. */
export const ASKED_TO_WAIT = 2
/** Being sent. When its lease has run out, whoever held it is dead. */
export const LEASED = 3

export type Band = typeof FRESH | typeof RETRY | typeof ASKED_TO_WAIT | typeof LEASED
