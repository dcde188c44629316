import type { Definitions } from '../attributes.ts'
import { UsherError } from '../errors.ts'
import { answerWebhook, MOST_BODY_BYTES, type WebhookHandlerOptions } from './handlers.ts'

/** The used part of a request of Express or of Node's server. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  headers: Record<string, string | string[] | undefined>
  body?: unknown
}
export interface NodeResponse {
  statusCode: number
  setHeader(name: string, value: string): unknown
  end(body: string): unknown
}

/**
 * For Express, and for `http.createServer`. It reads the body itself, or takes it from `express.raw()`; `express.json()`
 * must not have parsed it before.
 */
export function expressWebhook<D extends Definitions = Definitions>(
  options: WebhookHandlerOptions<D>,
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  return async (request, response, next) => {
    try {
      const rawBody = await bodyOf(request)
      const { status, body } = rawBody
        ? await answerWebhook(options, rawBody, request.headers)
        : { status: 413, body: 'too_large' }
      response.statusCode = status
      response.setHeader('content-type', 'text/plain')
      response.end(body)
    } catch (error) {
      if (!next) throw error
      next(error)
    }
  }
}

/** Undefined when it is too large. */
async function bodyOf(request: NodeRequest): Promise<Uint8Array | string | undefined> {
  const { body } = request
  if (body instanceof Uint8Array || typeof body === 'string') return body
  if (body !== undefined)
    throw new UsherError('The body was parsed before it could be verified: put the webhook before express.json().')
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of request) {
    const bytes = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
    length += bytes.length
    if (length > MOST_BODY_BYTES) return undefined
    chunks.push(bytes)
  }
  return join(chunks, length)
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
