import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The latest response of each connection. */
const latest = new WeakMap<object, ServerResponse>()

/**
 * Requests that a client sends without waiting for answers are worked on one after the other; nothing is returned when
 * there is no earlier one. Otherwise one connection could have hundreds of responses made at once, and keep them all in
 * our memory by not reading them: 20 requests each on 10 connections took 500 MB.
 */
export function earlierAnswer({ raw }: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
  const earlier = latest.get(raw.socket)
  latest.set(raw.socket, reply.raw)
  if (!earlier || earlier.closed) return undefined
  return new Promise((resolve) => earlier.once('close', resolve))
}
