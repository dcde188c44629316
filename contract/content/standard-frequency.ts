import type { Frequency } from './document.ts'

/**
 * A checklist, a banner and a launcher stay until they are completed or dismissed, since their session goes on over pages.
 * With `always` a dismissed banner would be back at once.
 */
export const STANDARD_FREQUENCY: Frequency = 'once'
