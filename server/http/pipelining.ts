import type { Exchange } from './exchange.ts'

/**
 * Requests that a client sends without waiting for answers are worked on one after the other; nothing is returned when
 * there is no earlier one. Otherwise one connection could have hundreds of responses made at once, and keep them all in
 * our memory by not reading them: 20 requests each on 10 connections took 500 MB.
 */
export function earlierAnswer({ connection, response }: Exchange): Promise<void> | undefined {
  const earlier = connection.latest
  connection.latest = response
  if (!earlier) return undefined
  return new Promise((resolve) => earlier.once('close', resolve))
}

/** When its answer is out: a connection that is idle keeps nothing of its last request. */
export function forgetAnswer({ connection, response }: Exchange): void {
  if (connection.latest === response) connection.latest = undefined
}
