/** How long the delivery of a notification is tried (S-RETRIES). */
export const WINDOW_MS = 72 * 3_600_000
