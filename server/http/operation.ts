import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { type OperationName, operations, pathParameters } from '../../contract/operations.ts'
import { ID_PATTERN, ID_RULE } from '../../contract/schema.ts'
import type { Grant } from '../accounts/keyring.ts'
import type { ResponseObserver } from './observation.ts'

type Operations = typeof operations
type QueryOf<Name extends OperationName> = Operations[Name] extends { query: infer Schema extends TSchema }
  ? Static<Schema>
  : unknown
type BodyOf<Name extends OperationName> = Operations[Name] extends { body: infer Schema extends TSchema }
  ? Static<Schema>
  : unknown

/** A request of an operation, once its key, headers, path, query and body are known to be good. */
export interface Call<Name extends OperationName> {
  grant: Grant
  /** The id in the path; empty when the path has none. */
  id: string
  query: QueryOf<Name>
  body: BodyOf<Name>
  /** The absolute address of the path, without the query. */
  address: string
}

/** Answers the JSON text of the response. */
export type Handler<Name extends OperationName> = (call: Call<Name>) => Promise<string>

export type Handlers = { [Name in OperationName]?: Handler<Name> }

/** Makes routes of handlers: the operation of the same name says method, path, and what is valid. */
export function registerOperations(
  app: FastifyInstance,
  handlers: Handlers,
  baseUrl: (request: FastifyRequest) => string,
  observe: (name: OperationName) => ResponseObserver,
): void {
  for (const [name, handler] of Object.entries(handlers) as [OperationName, Handler<never>][]) {
    const operation = operations[name]
    const [parameter] = pathParameters(operation.path)
    app.route({
      method: operation.method,
      url: operation.path,
      schema: {
        ...('query' in operation && { querystring: operation.query }),
        ...('body' in operation && { body: operation.body }),
        ...(parameter !== undefined && { params: idParameter(parameter) }),
      },
      onResponse: observe(name),
      handler: async (request: FastifyRequest, reply: FastifyReply) => {
        const id = parameter === undefined ? '' : ((request.params as Record<string, string>)[parameter] as string)
        const call = {
          grant: request.grant,
          id,
          query: request.query,
          body: request.body,
          address: baseUrl(request) + operation.path,
        }
        reply.header('content-type', 'application/json; charset=utf-8')
        return await handler(call as never)
      },
    })
  }
}

function idParameter(name: string): object {
  return { type: 'object', properties: { [name]: { type: 'string', pattern: ID_PATTERN, 'x-rule': ID_RULE } } }
}

declare module 'fastify' {
  interface FastifyRequest {
    grant: Grant
  }
}
