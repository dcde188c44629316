import type { Frequency } from './document.ts'

/** What `when` means where a document does not say it. */

/**
 * A checklist, a banner and a launcher stay until they are completed or dismissed, since their session goes on over pages.
 * With `always` a dismissed banner would be back at once.
 */
export const STANDARD_FREQUENCY: Frequency = 'once'

export const STANDARD_PRIORITY = 50
