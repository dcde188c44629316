import type { TObject } from 'typebox'
import type { ErrorCode } from './errors.ts'
import type { ResourceName } from './resources.ts'

/** A row of the table of operations. */
export interface Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With any number of parameters, each an id: `/users/:user_id/events`. */
  path: string
  tag: string
  summary: string
  description: string
  query?: TObject
  body?: TObject
  /** A looser schema: what refuses a request as a whole. The parts of `body` that it leaves open are validated one by one. */
  envelope?: TObject
  /** The body may be left out. */
  hasOptionalBody?: boolean
  /** The largest body, where it is not the usual one. */
  bodyBytes?: number
  response: ResourceName
  /** The failures that not every operation has. */
  errors?: readonly ErrorCode[]
  /** Fields of the answer that are shown to the caller alone, and kept nowhere as they are: not in Live, not under a key. */
  secretFields?: readonly string[]
  /** It makes notifications, so it takes `Usher-Notify`. */
  notifies?: boolean
  /** An addition to the API contract. Clients may ignore it. */
  isAddition?: boolean
}

/** The failures that any operation can have. */
export const commonErrors: readonly ErrorCode[] = [
  'invalid_params',
  'invalid_json',
  'https_required',
  'invalid_api_key',
  'unknown_url',
  'method_not_allowed',
  'not_acceptable',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'internal_error',
  'overloaded',
  'unavailable',
]

/** The path parameters of an operation, all of them ids. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((match) => match[1] as string)
}
