import type { Exchange } from './exchange.ts'

/**
 * Pipelined requests are processed one after the other. Returns undefined when there is no earlier request. Without
 * this one connection could cause hundreds of simultaneous responses, and keep them in memory by not reading them: 20
 * requests each on 10 connections took 500 MB.
 *
 * The socket is paused while a request waits, so that no more are read than came with it in one read of 64 KiB: without
 * that, 100,000 requests on one connection took 217 MB.
 */
export function earlierAnswer(exchange: Exchange): Promise<void> | undefined {
  const { connection, response } = exchange
  const earlier = connection.latest
  connection.latest = response
  if (!earlier) return undefined
  pauseReading(exchange)
  return new Promise((resolve) =>
    earlier.once('close', () => {
      if (connection.latest === response) resumeReading(exchange)
      resolve()
    }),
  )
}

/** Called when the answer is sent: an idle connection keeps no reference to its last request. */
export function forgetAnswer({ connection, response }: Exchange): void {
  if (connection.latest === response) connection.latest = undefined
}

/** After the current chunk is parsed: node resumes reading at the end of each request in it. */
function pauseReading({ connection, request: { socket } }: Exchange): void {
  if (connection.isPaused) return
  connection.isPaused = true
  process.nextTick(() => {
    if (connection.isPaused) socket.pause()
  })
}

function resumeReading({ connection, request: { socket } }: Exchange): void {
  connection.isPaused = false
  socket.resume()
}
