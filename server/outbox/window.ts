import { HOUR_MS } from '../../contract/units.ts'

/** How long the delivery of a notification is tried (S-RETRIES). */
export const WINDOW_MS = 72 * HOUR_MS
