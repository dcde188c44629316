import type { Static, TObject, TSchema } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { pathParameters } from '../../contract/operation.ts'
import { ID_PATTERN, ID_RULE } from '../../contract/schema.ts'
import { after } from '../maybe-promise.ts'
import type { Admission } from './admission.ts'
import { parseObject, readBody } from './body.ts'
import type { Compression } from './compression.ts'
import { type Exchange, JSON_TYPE } from './exchange.ts'
import { type RequestKey, requestKey } from './idempotency-key.ts'
import { noteIgnored } from './ignored-parameters.ts'
import { negotiate } from './negotiation.ts'
import { wantsNotifications } from './notify-header.ts'
import { parseQueryString } from './query-string.ts'
import type { Answer } from './reply.ts'
import type { ResponseDeadline } from './response-deadline.ts'
import { type Endpoint, type Method, queryOf, type Router } from './router.ts'
import type { Transport } from './transport.ts'
import { validator } from './validation.ts'

/** The required fields of a row in a table of operations. It may have more. */
export interface OperationRow {
  method: Method
  /** With any number of parameters: `/users/:user_id/events`. Each is an id. */
  path: string
  query?: TObject
  body?: TObject
  /** The part of the body that is validated here. The handler validates the rest. */
  envelope?: TObject
  /** The body may be left out. It is then `{}`. */
  hasOptionalBody?: boolean
  /** The body may also be JSON that is sent as `text/plain`, as a page does that is being left. */
  takesText?: boolean
  /** The largest body; `limits.bodyBytes` when it is left out. */
  bodyBytes?: number
  /** Fields of the answer that are shown to the caller alone, and kept nowhere as they are. */
  secretFields?: readonly string[]
  /** The media type of an answer that is not JSON. */
  produces?: string
}

export type OperationTable = Readonly<Record<string, OperationRow>>

type ParameterName<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParameterName<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
type QueryOf<Row> = Row extends { query: infer Schema extends TSchema } ? Static<Schema> : unknown
type BodyOf<Row> = Row extends { body: infer Schema extends TSchema } ? Static<Schema> : unknown

/** A request of an operation with validated caller, headers, path, query and body. */
export interface Call<Row extends OperationRow, Grant> {
  /** The grant that the admission returned. */
  grant: Grant
  /** The parameters of the path by their names. */
  params: Readonly<Record<ParameterName<Row['path']>, string>>
  query: QueryOf<Row>
  body: BodyOf<Row>
  /** The absolute address of the path, without the query. */
  address(): string
  /** The Idempotency-Key of a request that writes, if it has one. */
  requestKey: RequestKey | undefined
  /** Whether subscribers are notified. */
  notify: boolean
  /** For rare needs: headers, the connection, a signal that aborts when the client disconnects. */
  exchange: Exchange
}

/** Returns JSON text, or a `Reply` with a status, headers or a stream. */
export type Handler<Row extends OperationRow, Grant> = (call: Call<Row, Grant>) => Answer

/** A handler for every operation of the table. One that is missing does not compile. */
export type Handlers<Table extends OperationTable, Grant> = {
  [Name in keyof Table]: Handler<Table[Name], Grant>
}

/** The admission, deadline and observation of all operations of a table. */
export interface Gate<Grant> {
  admission: Admission<Grant>
  deadline: ResponseDeadline
  transport: Transport
  /** Counts and logs the answers of the operation with this name. */
  observe(name: string): (exchange: Exchange) => void
  /** A second name of the version header, if there is one. */
  versionHeader?: string | undefined
  /** Answers are compressed for clients that ask for it. Without it, none is. */
  compression?: Compression
  /** Before every path of the table, such as `/dashboard/api`. */
  prefix?: string
}

/** Makes an endpoint of every operation of a table. Several tables, each with its own gate, can share a router. */
export function addOperations<Table extends OperationTable, Grant>(
  router: Router,
  operations: Table,
  handlers: Handlers<Table, Grant>,
  gate: Gate<Grant>,
): void {
  const guard = admissionGuard(gate)
  for (const [name, operation] of Object.entries<OperationRow>(operations)) {
    const row = { ...operation, path: (gate.prefix ?? '') + operation.path }
    const answer = makeAnswer(row, handlers[name] as Handler<OperationRow, Grant>, gate)
    router.add(row.method, row.path, { answer, guard, observe: gate.observe(name) })
  }
}

/** The guard of unknown paths and methods. Endpoints admit their caller in `answer`, without a further promise. */
export function admissionGuard<Grant>({ admission, deadline }: Gate<Grant>): NonNullable<Endpoint['guard']> {
  return (exchange) => {
    deadline.watch(exchange)
    return after(admission.admit(exchange), (grant) => {
      exchange.admitted = true
      exchange.grant = grant
      return grant
    })
  }
}

function makeAnswer<Grant>(
  operation: OperationRow,
  handler: Handler<OperationRow, Grant>,
  { deadline, admission, transport, versionHeader, compression }: Gate<Grant>,
): Endpoint['answer'] {
  const names = pathParameters(operation.path)
  const checkPath = names.length === 0 ? undefined : validator(idParameters(names), 'body')
  const checkBody = operation.body && validator(operation.envelope ?? operation.body, 'body')
  const checkQuery = operation.query && validator(operation.query, 'query')
  const knownParameters = new Set(Object.keys(operation.query?.properties ?? {}))
  const isRead = operation.method === 'GET'
  // A secret is not compressed with texts of the caller: the length of the answer would tell something about it.
  const packs = operation.secretFields ? undefined : compression
  const bodyBytes = operation.bodyBytes ?? limits.bodyBytes
  return async (exchange) => {
    deadline.watch(exchange)
    const admitted = admission.admit(exchange)
    const grant = admitted instanceof Promise ? await admitted : admitted
    exchange.admitted = true
    exchange.grant = grant
    const { request, params } = exchange
    negotiate(operation, request.headers, versionHeader)
    const bytes = checkBody && (await readBody(exchange, bodyBytes))
    exchange.bytes = bytes
    const entered = admission.enter(exchange, grant)
    if (entered instanceof Promise) await entered
    const body = bytes && parseBody(exchange, bytes, operation)
    exchange.body = body
    checkPath?.(params)
    checkBody?.(body, bytes)
    const queryText = queryOf(exchange.url)
    const query = parseQueryString(queryText)
    if (queryText !== '') noteIgnored(exchange, query, knownParameters)
    checkQuery?.(query)
    const address = () => transport.baseUrl(exchange) + fillPath(operation.path, params)
    const key = isRead ? undefined : requestKey(request, body, operation.secretFields !== undefined)
    const notify = isRead || wantsNotifications(request)
    const answer = await handler({ grant, params, query, body, address, exchange, requestKey: key, notify })
    if (typeof answer !== 'string') return await exchange.reply(answer, packs)
    const packing = packs?.pack(request, answer)
    exchange.send(200, JSON_TYPE, answer, packing && (await packing))
  }
}

function parseBody(exchange: Exchange, bytes: Buffer, { hasOptionalBody }: OperationRow): object {
  return hasOptionalBody && bytes.length === 0 ? {} : parseObject(bytes, (held) => exchange.holdBytes(held))
}

function idParameters(names: readonly string[]): object {
  const id = { type: 'string', pattern: ID_PATTERN, 'x-rule': ID_RULE }
  return { type: 'object', properties: Object.fromEntries(names.map((name) => [name, id])) }
}

function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.includes(':')
    ? path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
    : path
}
