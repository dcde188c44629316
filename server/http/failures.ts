import type { Socket } from 'node:net'
import { isTimeout, isUnreachable } from '../database/errors.ts'
import { ApiError, documentationUrl, errors } from '../errors.ts'
import type { Log } from '../log.ts'
import { closeWith, isClosing } from './closing.ts'
import { connectionOf } from './connection.ts'
import { type Exchange, JSON_TYPE } from './exchange.ts'
import { failurePageHeaders, isForPerson, renderFailurePage } from './failure-page.ts'
import { describe } from './observation.ts'
import { newRequestId } from './request-id.ts'

/** Answers every failure in the same envelope, and logs it. Details of an unexpected error are not sent to the caller. */
export function sendFailure(exchange: Exchange, error: unknown, address: string, log: Log): void {
  if (exchange.response.headersSent) {
    logBroken(exchange, error, log)
    return
  }
  const failure = toApiError(error)
  const { status, code } = failure
  if (status >= 500) {
    const err = code === 'internal_error' ? error : { message: (error as Error).message, code: codeOf(error) }
    log.error({ ...describe(exchange), err, status, code }, failure.message)
  }
  exchange.failure = failure
  // Those of the answer that was to be sent: a failure must not be cached like it.
  exchange.replaceHeaders({ 'cache-control': 'no-store' })
  exchange.setHeaders(failure.headers)
  if (isForPerson(exchange)) {
    exchange.setHeaders(failurePageHeaders)
    const page = renderFailurePage(failure, documentationUrl(address, code), exchange.id)
    exchange.send(status, 'text/html; charset=utf-8', page)
  } else exchange.send(status, JSON_TYPE, renderFailure(failure, address, exchange.id))
}

/** Logs failures after the answer: the deadline has passed, or a stream broke off. A disconnect of the client is not logged. */
function logBroken(exchange: Exchange, error: unknown, log: Log): void {
  if (exchange.response.writableEnded || codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE') return
  log.error({ ...describe(exchange), err: error }, 'an answer broke off')
}

export function renderFailure(
  { code, message, param, problems }: ApiError,
  address: string,
  requestId: string,
): string {
  const doc_url = documentationUrl(address, code)
  return JSON.stringify({ error: { code, message, param, problems, doc_url, request_id: requestId } })
}

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string }).code
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isUnreachable(error)) return errors.unavailable('The database cannot be reached.')
  if (isTimeout(error)) return errors.unavailable('The database took too long.')
  return errors.internal()
}

const socketFailures: Record<string, () => ApiError> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
}

function socketFailure(error: NodeJS.ErrnoException, socket: Socket): ApiError {
  const known = socketFailures[error.code ?? '']?.()
  if (known) return known
  if (error.code === 'HPE_INVALID_EOF_STATE' && isInBody(socket))
    return errors.invalidJson('The body stops half way: the connection ended before all of it was sent.')
  return errors.invalidParams(['The request is not valid HTTP'])
}

/** Whether the headers of the latest request were read, and its body was not. */
function isInBody(socket: Socket): boolean {
  return connectionOf(socket).latest?.req.complete === false
}

/** Input that is not HTTP reaches no endpoint. It gets the same envelope, and the connection is closed. */
export function answerBrokenConnection(error: NodeJS.ErrnoException, socket: Socket, address: string, log: Log): void {
  if (isClosing(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable || isUnused(error, socket)) {
    socket.destroy()
    return
  }
  const requestId = newRequestId()
  log.debug({ reqId: requestId, code: error.code }, 'a connection broke')
  const failure = socketFailure(error, socket)
  const body = renderFailure(failure, address, requestId)
  const reason =
    failure.status === 408
      ? 'Request Timeout'
      : failure.status === 431
        ? 'Request Header Fields Too Large'
        : 'Bad Request'
  const bytes = `HTTP/1.1 ${failure.status} ${reason}\r\nContent-Type: ${JSON_TYPE}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nRequest-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`
  afterEarlierAnswers(socket, () => closeWith(socket, bytes))
}

/**
 * A pool of a client opens connections before it has a request, or its request was cancelled. There was no request, so
 * there is no answer: a client that sends its first request at this moment would take a 408 for the answer to it.
 */
function isUnused({ code }: NodeJS.ErrnoException, { bytesRead }: Socket): boolean {
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' && bytesRead === 0
}

/**
 * The malformed input may follow valid requests: their answers are sent first. Or it is in the body of the last request,
 * which may have been answered already.
 */
function afterEarlierAnswers(socket: Socket, close: () => void): void {
  const { latest } = connectionOf(socket)
  if (!latest || latest.closed) close()
  else if (latest.req.complete) latest.once('close', close)
  else if (latest.headersSent) socket.destroy()
  else close()
}
