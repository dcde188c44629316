import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { ID_RULE } from '../../contract/schema.ts'
import { isAway, isTimeout } from '../database/errors.ts'
import { ApiError, errors } from '../errors.ts'
import type { Log } from '../log.ts'
import { pathOf } from './observation.ts'
import { newRequestId } from './request-id.ts'

/** Turns every failure into the one envelope, and logs it. Nothing of an unexpected error reaches the caller. */
export async function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  docUrl: string,
  log: Log,
): Promise<void> {
  const failure = toApiError(error)
  request.failureCode = failure.code
  if (failure.status >= 500) {
    const err = failure.code === 'internal_error' ? error : describe(error)
    const { method, url } = request
    log.error(
      { reqId: request.id, err, method, path: pathOf(url), status: failure.status, code: failure.code },
      failure.message,
    )
  }
  reply.header('request-id', request.id)
  reply.headers(failure.headers)
  await reply
    .code(failure.status)
    .type('application/json; charset=utf-8')
    .send(renderFailure(failure, docUrl, request.id))
}

export function renderFailure({ code, message }: ApiError, docUrl: string, requestId: string): string {
  return JSON.stringify({ error: { code, message, doc_url: docUrl, request_id: requestId } })
}

function describe(error: unknown): object {
  return { message: (error as Error).message, code: (error as { code?: string }).code }
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isAway(error)) return errors.unavailable('The database cannot be reached.')
  if (isTimeout(error)) return errors.unavailable('The database took too long.')
  return fromFramework((error as FastifyError | undefined)?.code) ?? errors.internal()
}

function fromFramework(code: string | undefined): ApiError | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return errors.payloadTooLarge()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'ECONNRESET':
      return errors.invalidJson('The body stopped half way.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_INVALID_CONTENT_TYPE':
      return errors.unsupportedMediaType()
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return errors.invalidParams([`The id in the path ${ID_RULE}`])
    case 'FST_ERR_BAD_URL':
      return errors.invalidParams(['The path is not valid: percent-encode it'])
    default:
      return undefined
  }
}

const socketFailures: Record<string, () => ApiError> = {
  HPE_HEADER_OVERFLOW: errors.headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: errors.requestTimeout,
}

/** What is not even HTTP never reaches a route; it gets the envelope all the same, and the connection ends. */
export function answerBrokenConnection(error: NodeJS.ErrnoException, socket: Socket, docUrl: string, log: Log): void {
  const requestId = newRequestId()
  log.debug({ reqId: requestId, code: error.code }, 'a connection broke')
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const failure = socketFailures[error.code ?? '']?.() ?? errors.invalidParams(['The request is not valid HTTP'])
  const body = renderFailure(failure, docUrl, requestId)
  const reason =
    failure.status === 408
      ? 'Request Timeout'
      : failure.status === 431
        ? 'Request Header Fields Too Large'
        : 'Bad Request'
  socket.end(
    `HTTP/1.1 ${failure.status} ${reason}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nRequest-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** Node answers CONNECT and an unknown Expect by itself; here the first gets the envelope, and the second is ignored. */
export function answerUnusual(server: Server, docUrl: string, log: Log): void {
  server.on('connect', (_request, socket) =>
    answerBrokenConnection(new Error('CONNECT'), socket as Socket, docUrl, log),
  )
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}
