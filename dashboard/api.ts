import type { Input, Output } from '../contract/dashboard/operations.ts'
import { type OperationName, paths } from '../contract/dashboard/paths.ts'

/** Every failure of a call: the error of the server, or status 0 when it could not be reached. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string
  readonly requestId: string | undefined

  constructor(status: number, code: string, message: string, requestId?: string) {
    super(message)
    this.status = status
    this.code = code
    this.requestId = requestId
  }
}

/** The code of the answer, and when its call was sent, by `performance.now()`. */
type OnRefusal = (code: string, sentAt: number) => void

/** Set by the router: a lost session leads to sign-in and back, and a role that was changed meanwhile is read again. */
let onRefusal: OnRefusal = () => undefined
export function whenRefused(lead: OnRefusal): void {
  onRefusal = lead
}

/** Refusals of the moment: the request took too long, or there were too many. */
const PASSING = [408, 429]

/** Whether the same call may succeed later: the server was not reached, failed, or had too much to do. */
export const mayPass = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status < 400 || error.status >= 500 || PASSING.includes(error.status)

type Envelope = { error: { code: string; message: string; request_id?: string } }

/** All calls of the API. Path, method and types come from the table of operations. */
export async function call<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  signal?: AbortSignal,
): Promise<Output<Name>> {
  const { url, body } = request(name, input as Record<string, unknown>)
  const sentAt = performance.now()
  const response = await send(url, {
    method: paths[name].method,
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok || answer === undefined) {
    const error = failure(response, answer)
    onRefusal(error.code, sentAt)
    throw error
  }
  return answer as Output<Name>
}

/** The address of an operation, for an EventSource or a link that downloads. */
export function addressOf<Name extends OperationName>(name: Name, input: Input<Name>): string {
  return request(name, input as Record<string, unknown>).url
}

function request(name: OperationName, input: Record<string, unknown>): { url: string; body: string | undefined } {
  const { method, path } = paths[name]
  const rest = { ...input }
  const filled = path.replace(/:(\w+)/g, (_, parameter: string) => {
    const value = String(rest[parameter])
    delete rest[parameter]
    return encodeURIComponent(value)
  })
  if (method === 'POST' || method === 'PATCH') return { url: filled, body: JSON.stringify(rest) }
  const query = queryString(rest)
  return { url: query ? `${filled}?${query}` : filled, body: undefined }
}

function queryString(input: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    // A single entry would be parsed as a text, so lists use `name[]`.
    if (Array.isArray(value)) for (const item of value) query.append(`${name}[]`, String(item))
    else if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  return query.toString()
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError(0, 'unreachable', 'The server did not answer. Check that it runs and that you are connected.')
  }
}

function failure(response: Response, answer: unknown): ApiError {
  const said = (answer as Envelope | undefined)?.error
  if (said) return new ApiError(response.status, said.code, said.message, said.request_id)
  const id = response.headers.get('request-id') ?? undefined
  return new ApiError(response.status, 'unreadable', `The server answered ${response.status} without a reason.`, id)
}
