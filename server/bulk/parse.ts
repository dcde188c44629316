import { pathParameters } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { BatchOperation } from '../../contract/requests/batch.ts'
import { ID_PATTERN, ID_RULE } from '../../contract/schema.ts'
import { ApiError, errors } from '../errors.ts'
import { parseQueryString } from '../http/query-string.ts'
import { validator } from '../http/validation.ts'

/** The operations that a batch can hold: the writes of users, groups and events. */
const batchable = [
  'upsertUser',
  'deleteUser',
  'upsertGroup',
  'deleteGroup',
  'removeMembership',
  'trackEvent',
  'deleteEvent',
] as const

export type BatchableName = (typeof batchable)[number]

/** An operation of a batch with validated path, query and body. */
export interface ParsedOperation {
  given: BatchOperation
  name: BatchableName
  params: Record<string, string>
  query: Record<string, unknown>
  body: unknown
}

const rows = batchable.map((name) => {
  const row: { method: string; path: string; query?: object; body?: object } = operations[name]
  return {
    name,
    ...row,
    names: pathParameters(row.path),
    pattern: new RegExp(`^${row.path.replace(/:\w+/g, '([^/]+)')}/?$`),
    checkBody: row.body && validator(row.body, 'body'),
    checkQuery: row.query && validator(row.query, 'query'),
  }
})

const ALL = `it has ${rows.map(({ method, path }) => `${method} ${path}`).join(', ')}`

const checkForm = validator(BatchOperation, 'body')

/** `source` is the text of the whole batch. */
export function parseOperation(given: BatchOperation, source: Buffer | undefined): ParsedOperation {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw errors.invalidParams([{ param: undefined, message: 'An operation must be an object' }])
  checkForm(given, source)
  const { method, path, body } = given
  const [bare = '', queryText = ''] = path.split(/\?(.*)/s, 2)
  const row = rows.find((each) => each.method === method && each.pattern.test(bare))
  if (!row)
    throw errors.invalidParams([{ param: 'path', message: `a batch has no ${method} ${bare.slice(0, 200)}; ${ALL}` }])
  const params = readParams(row.names, row.pattern.exec(bare) as RegExpExecArray)
  if (row.checkBody) checkBody(row.checkBody, body, source)
  else if (body != null) throw errors.invalidParams([{ param: 'body', message: 'must be absent for this operation' }])
  const query = parseQueryString(queryText)
  row.checkQuery?.(query)
  if (query.expand !== undefined || (body as { expand?: unknown } | null | undefined)?.expand != null)
    throw errors.invalidParams([{ param: 'expand', message: 'cannot be used in a batch; read the objects afterwards' }])
  return { given, name: row.name, params, query, body }
}

/** The body of an operation is not valid. Its `param` is a field of that body. */
export class BodyRefused extends ApiError {}

function checkBody(check: ReturnType<typeof validator>, body: object | null | undefined, source: Buffer | undefined) {
  try {
    check(body ?? {}, source)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, headers, param } = error
    throw new BodyRefused(code, message, headers, param)
  }
}

function readParams(names: readonly string[], match: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(
    names.map((name, index) => {
      const id = decode(match[index + 1] as string)
      if (id === undefined || !new RegExp(ID_PATTERN, 'u').test(id))
        throw errors.invalidParams([{ param: name, message: ID_RULE }])
      return [name, id]
    }),
  )
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
