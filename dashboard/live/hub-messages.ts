import type { LiveRequest } from './queries.ts'

/** Messages from a tab to the hub. `watch` is repeated every few seconds, so that each side notices when the other has ended. */
export type ToHub = { type: 'watch'; url: string } | { type: 'leave' }

/** The state of one stream. `gapSince` is when its connection was lost. */
export type Connection = { state: 'connecting' | 'open' | 'lost'; gapSince: string | undefined }

/** Messages from the hub to a tab. */
export type FromHub =
  /** The answer to `watch`. */
  | { type: 'watching' }
  /** Replaces all rows: the tab has just come, or the session has changed. Newest last. */
  | { type: 'rows'; rows: readonly LiveRequest[] }
  /** `arrived` counts those that are not among `requests` too; those of before the connection do not count. */
  | { type: 'added'; requests: readonly LiveRequest[]; arrived: number }
  | { type: 'connection'; connection: Connection }
  /** The server answered without a stream. It may be that the session has ended. */
  | { type: 'refused' }
