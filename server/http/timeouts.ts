/** How long a client and an answer may take. Slower ones are ended, so that they do not hold resources. */
export interface Timeouts {
  /** The request line and the headers. */
  headersMs: number
  /** The whole request, its body included. */
  requestMs: number
  /** An answer that the client does not read. */
  silenceMs: number
  /** An idle connection between two requests. */
  keepAliveMs: number
  /** From a complete request to its answer. Longer than the 15 s that a request may wait for a slot. */
  answerMs: number
  /** How often `headersMs`, `requestMs` and `answerMs` are checked. */
  checkMs: number
}

export const TIMEOUTS: Timeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  silenceMs: 40_000,
  keepAliveMs: 65_000,
  answerMs: 18_000,
  checkMs: 1_000,
}
