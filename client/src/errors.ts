import type { ErrorCode } from './generated.ts'

/** Every error of the client. Only the reason of an abort signal is thrown as it is. */
export class UsherError extends Error {
  override name = 'UsherError'
}

/** The server could not be reached, or the connection broke. `cause` says why. */
export class ConnectionError extends UsherError {
  override name = 'ConnectionError'
}

/** There was no answer in time. Whether the request had an effect is not known; a repeat with the same idempotency key answers that. */
export class TimeoutError extends ConnectionError {
  override name = 'TimeoutError'
}

export interface Failure {
  status: number
  code: ErrorCode | (string & {})
  message: string
  param: string | undefined
  requestId: string | undefined
  docUrl: string | undefined
  retryAfterMs: number | undefined
}

/** The server answered with a failure. */
export class ApiError extends UsherError {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorCode | (string & {})
  /** The field that is wrong, when there is exactly one. */
  readonly param: string | undefined
  /** For reporting the problem: it is in the log of the server. */
  readonly requestId: string | undefined
  readonly docUrl: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(failure: Failure) {
    super(failure.message)
    this.status = failure.status
    this.code = failure.code
    this.param = failure.param
    this.requestId = failure.requestId
    this.docUrl = failure.docUrl
    this.retryAfterMs = failure.retryAfterMs
  }
}

/** 400, 405, 406, 413, 415 and 431: the request is wrong, and a retry fails again. 408: it was not sent in time. */
export class InvalidRequestError extends ApiError {
  override name = 'InvalidRequestError'
}
/** 401: the API key is missing, unknown or revoked. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError'
}
/** 404. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError'
}
/** 409: something is in the way, and `code` says what: a used idempotency key, a changed draft, content that cannot be claimed now. */
export class ConflictError extends ApiError {
  override name = 'ConflictError'
}
/** 429: the account has used up its requests of this minute. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError'
}
/** 5xx. */
export class ServerError extends ApiError {
  override name = 'ServerError'
}

const byStatus: Record<number, typeof ApiError> = {
  401: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
  429: RateLimitError,
}

export function apiError(failure: Failure): ApiError {
  const { status } = failure
  const Class = byStatus[status] ?? (status >= 500 ? ServerError : status >= 400 ? InvalidRequestError : ApiError)
  return new Class(failure)
}

export type WebhookProblem =
  | 'missing_signature'
  | 'malformed_signature'
  | 'expired_signature'
  | 'wrong_signature'
  | 'malformed_body'

/** A webhook that is not genuine. `reason` is a machine-readable cause. */
export class WebhookVerificationError extends UsherError {
  override name = 'WebhookVerificationError'
  readonly reason: WebhookProblem

  constructor(reason: WebhookProblem, message: string) {
    super(message)
    this.reason = reason
  }
}
