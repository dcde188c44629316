import type { Definitions } from '../attributes.ts'
import { answerWebhook, MOST_BODY_BYTES, type WebhookHandlerOptions } from './handlers.ts'

/** The used part of Fastify, so that its types are not needed. */
interface Scope {
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown
  post(
    path: string,
    handle: (
      request: { body: unknown; headers: Record<string, string | string[] | undefined> },
      reply: { code(status: number): { type(type: string): { send(body: string): unknown } } },
    ) => Promise<unknown>,
  ): unknown
}

/** A plugin: `app.register(fastifyWebhook({ path, secret, onNotification }))`. Other routes keep their JSON parser. */
export function fastifyWebhook<D extends Definitions = Definitions>({
  path,
  ...options
}: WebhookHandlerOptions<D> & { path: string }): (scope: unknown) => Promise<void> {
  return async (given) => {
    const scope = given as Scope
    scope.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES }, keep)
    scope.post(path, async (request, reply) => {
      const { status, body } = await answerWebhook(
        options,
        (request.body ?? '') as Uint8Array | string,
        request.headers,
      )
      return reply.code(status).type('text/plain').send(body)
    })
  }
}

function keep(_request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void): void {
  done(null, body)
}
