import type { Definitions } from '../attributes.ts'
import { readAtMost } from '../bytes.ts'
import { WebhookVerificationError } from '../errors.ts'
import type { WebhookNotification } from './notification.ts'
import { type HeadersLike, verifyWebhook } from './verify.ts'

export interface WebhookHandlerOptions<D extends Definitions = Definitions> {
  /** The secret of the subscription; the new and the old one while it is being rotated. */
  secret: string | readonly string[]
  /** Called with every notification that is genuine. When it fails, the server sends the notification again later. */
  onNotification(notification: WebhookNotification<D>): void | Promise<void>
}

/** Notifications are far smaller. */
export const MOST_BODY_BYTES = 2 * 1024 * 1024

export interface WebhookAnswer {
  status: 200 | 400 | 413
  body: string
}

/** The answer to a webhook, whatever framework it came through. A body that is undefined was too large. */
export async function answerWebhook<D extends Definitions>(
  { secret, onNotification }: WebhookHandlerOptions<D>,
  rawBody: string | Uint8Array | undefined,
  headers: HeadersLike,
): Promise<WebhookAnswer> {
  if (rawBody === undefined) return { status: 413, body: 'too_large' }
  try {
    await onNotification(await verifyWebhook<D>(rawBody, headers, secret))
    return { status: 200, body: 'ok' }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { status: 400, body: error.reason }
    throw error
  }
}

/** For frameworks with Request and Response: Hono, Next route handlers, Deno, Bun, edge runtimes. */
export function fetchWebhook<D extends Definitions = Definitions>(
  options: WebhookHandlerOptions<D>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const { status, body } = await answerWebhook(options, await bodyOf(request), request.headers)
    return new Response(body, { status, headers: { 'content-type': 'text/plain' } })
  }
}

/** Read by a reader: not every runtime can iterate over a stream. */
async function bodyOf({ body }: Request): Promise<Uint8Array | undefined> {
  if (!body) return new Uint8Array()
  const reader = body.getReader()
  const next = async () => (await reader.read()) as IteratorResult<Uint8Array>
  return await readAtMost(MOST_BODY_BYTES, { next })
}
