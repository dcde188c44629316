/** How long the delivery of a notification is tried (S-RETRIES). */
export const WINDOW_MS = 72 * 3_600_000

/** The end of the window. There is no attempt after it. */
export function expiresAt(since: string): string {
  return new Date(Date.parse(since) + WINDOW_MS).toISOString()
}
