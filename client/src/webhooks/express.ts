import type { Definitions } from '../attributes.ts'
import { bytesOf, readAtMost } from '../bytes.ts'
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
      const { status, body } = await answerWebhook(options, await bodyOf(request), request.headers)
      response.statusCode = status
      response.setHeader('content-type', 'text/plain')
      response.end(body)
    } catch (error) {
      if (!next) throw error
      next(error)
    }
  }
}

/** Undefined when it is too large. It is not iterated with `for await`, which would close the connection before the answer. */
async function bodyOf(request: NodeRequest): Promise<Uint8Array | undefined> {
  if (request.body === undefined) return await readAtMost(MOST_BODY_BYTES, request[Symbol.asyncIterator]())
  const given = bytesOf(request.body)
  if (given) return given
  throw new UsherError('The body was parsed before it could be verified: put the webhook before express.json().')
}
