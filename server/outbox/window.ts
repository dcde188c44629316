/** How long a notification may be tried (S-RETRIES). */
export const WINDOW_MS = 72 * 3_600_000

/** The end of the window: no attempt comes later. */
export function expiresAt(since: string): string {
  return new Date(Date.parse(since) + WINDOW_MS).toISOString()
}
