/** How long a sender, and an answer, may take. What is too slow is cut off, so that it does not hold the server. */
export interface Timeouts {
  /** The request line and the headers. */
  headersMs: number
  /** The whole request, its body included. */
  requestMs: number
  /** An answer of which nothing is read. */
  silenceMs: number
  /** A connection between two requests. */
  keepAliveMs: number
  /** From a complete request to its answer: longer than the 15 s that one may wait for its turn. */
  answerMs: number
  /** How often the first two, and the answers, are looked at. */
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
