import type { Static, TSchema } from 'typebox'
import { type Operation, type OperationName, operations, pathParameters } from '../../contract/operations.ts'
import { ID_PATTERN, ID_RULE } from '../../contract/schema.ts'
import type { Grant } from '../accounts/keyring.ts'
import type { Admission } from './admission.ts'
import { parseObject, readBody } from './body.ts'
import { type Exchange, JSON_TYPE } from './exchange.ts'
import type { Patience } from './patience.ts'
import { parseQueryString } from './query-string.ts'
import { type Endpoint, queryOf, type Router } from './router.ts'
import type { Transport } from './transport.ts'
import { validator } from './validation.ts'

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
  address(): string
}

/** Answers the JSON text of the response. */
export type Handler<Name extends OperationName> = (call: Call<Name>) => Promise<string>

export type Handlers = { [Name in OperationName]?: Handler<Name> }

/** What stands before every operation. */
export interface Gate {
  patience: Patience
  admission: Admission
  transport: Transport
}

/** Makes endpoints of handlers: the operation of the same name says method, path, and what is valid. */
export function addOperations(
  router: Router,
  handlers: Handlers,
  gate: Gate,
  observe: (name: OperationName) => (exchange: Exchange) => void,
): void {
  for (const [name, handler] of Object.entries(handlers) as [OperationName, Handler<never>][]) {
    const operation: Operation = operations[name]
    const answer = answerer(operation, handler, gate)
    router.add(operation.method, operation.path, { answer, observe: observe(name) })
  }
}

function answerer(
  operation: Operation,
  handler: Handler<never>,
  { patience, admission, transport }: Gate,
): Endpoint['answer'] {
  const [parameter] = pathParameters(operation.path)
  const checkPath = parameter === undefined ? undefined : validator(idParameter(parameter), 'body')
  const checkBody = operation.body && validator(operation.body, 'body')
  const checkQuery = operation.query && validator(operation.query, 'query')
  return async (exchange) => {
    patience.watch(exchange)
    const admitted = admission.admit(exchange)
    const grant = admitted instanceof Promise ? await admitted : admitted
    const body = checkBody && parseObject(await readBody(exchange.request))
    checkPath?.({ [parameter as string]: exchange.parameter })
    checkBody?.(body)
    const query = parseQueryString(queryOf(exchange.url))
    checkQuery?.(query)
    const address = () => transport.baseUrl(exchange) + operation.path
    const call = { grant, id: exchange.parameter, query, body, address }
    exchange.send(200, JSON_TYPE, await handler(call as never))
  }
}

function idParameter(name: string): object {
  return { type: 'object', properties: { [name]: { type: 'string', pattern: ID_PATTERN, 'x-rule': ID_RULE } } }
}
