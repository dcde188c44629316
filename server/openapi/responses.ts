import { type ErrorCode, errorCodes } from '../../contract/errors.ts'
import { commonErrors, type Operation } from '../../contract/operation.ts'
import { latestVersion } from '../../contract/versions.ts'
import { documentationUrl } from '../errors.ts'
import { exampleOf, resourceRef, schemaRef } from './schemas.ts'
import type { Header, Reference, ResponseObject } from './types.ts'

const header = (description: string, type: string, example: unknown): Header => ({
  description,
  schema: { type },
  example,
})

const addition = (header: Header): Header => ({ ...header, 'x-addition': true })

export const headers: Record<string, Header> = {
  'Request-Id': header(
    'The id of the request, on every response; the `request_id` of an error.',
    'string',
    'req_0c1f9a2b7d3e000001',
  ),
  'RateLimit-Limit': header(
    'The requests of the account per minute. Absent on a plan without a limit, and on a request that was refused before it was counted.',
    'integer',
    3000,
  ),
  'RateLimit-Remaining': header('The requests that are left in this minute.', 'integer', 2999),
  'RateLimit-Reset': header('The seconds until the minute is over.', 'integer', 42),
  'Usher-Ignored-Parameters': addition(
    header(
      'The names of query parameters that were sent and that the operation does not have, percent-encoded. Absent when there are none.',
      'string',
      'limt',
    ),
  ),
  'Idempotent-Replayed': addition(
    header(
      '`true` when the answer is that of an earlier request with the same Idempotency-Key. Of a batch: when nothing of it was carried out now.',
      'string',
      'true',
    ),
  ),
  'Retry-After': header('The seconds after which to try again.', 'integer', 2),
  Allow: header('The methods that the path has.', 'string', 'GET, HEAD, POST'),
  'WWW-Authenticate': header('How to authenticate.', 'string', 'Bearer realm="Usher"'),
}

const onEvery = ['Request-Id']
const onCounted = [...onEvery, 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']
/** Statuses of requests that no account was found for, so they count for none. */
const uncounted = new Set([401, 408, 431])
const extraHeaders: Record<number, string[]> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

function headerRefs(names: readonly string[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The failures of requests by status. Those that every operation has are shared. */
export const sharedResponses: Record<string, ResponseObject> = Object.fromEntries(
  byStatus(['request_timeout', 'headers_too_large', ...commonErrors]).map(([status, codes]) => [
    `Error${status}`,
    failure(status, codes),
  ]),
)

export function responses({
  response,
  errors: ownErrors = [],
  method,
}: Operation): Record<string, ResponseObject | Reference> {
  const isRead = method === 'GET'
  const errors = isRead ? ownErrors : [...ownErrors, 'idempotency_key_reused' as const]
  const own = new Set(errors.map((code) => errorCodes[code].status))
  const shared = Object.keys(sharedResponses).map((name) => Number(name.slice('Error'.length)))
  const failures = [...new Set([...shared, ...own])]
    .toSorted((a, b) => a - b)
    .map((status) => {
      if (!own.has(status as never)) return [status, { $ref: `#/components/responses/Error${status}` }] as const
      const codes = [...commonErrors, ...errors].filter((code) => errorCodes[code].status === status)
      return [status, failure(status, codes)] as const
    })
  return { 200: success(response, isRead ? [] : ['Idempotent-Replayed']), ...Object.fromEntries(failures) }
}

function success(name: Operation['response'], more: readonly string[]): ResponseObject {
  const schema = resourceRef(name)
  return {
    description: `The ${name}, in the version ${latestVersion}.`,
    headers: headerRefs([...onCounted, 'Usher-Ignored-Parameters', ...more]),
    content: { 'application/json': { schema, example: exampleOf(schema) } },
  }
}

function failure(status: number, codes: readonly ErrorCode[]): ResponseObject {
  const examples = codes.map((code) => {
    const { meaning, example } = errorCodes[code]
    const error = {
      code,
      message: example,
      doc_url: documentationUrl('https://usher.example.com', code),
      request_id: 'req_0c1f9a2b7d3e000001',
    }
    return [code, { summary: meaning, value: { error } }] as const
  })
  return {
    description: codes.map((code) => `\`${code}\`: ${errorCodes[code].meaning}`).join('\n\n'),
    headers: headerRefs([...(uncounted.has(status) ? onEvery : onCounted), ...(extraHeaders[status] ?? [])]),
    content: { 'application/json': { schema: schemaRef('Error'), examples: Object.fromEntries(examples) } },
  }
}

function byStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  return [...Map.groupBy(codes, (code) => errorCodes[code].status)].toSorted(([a], [b]) => a - b)
}
