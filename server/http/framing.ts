import { type ApiError, errors } from '../errors.ts'
import type { Exchange } from './exchange.ts'

/** A proxy may see another end of such a body. So the connection ends, and nothing after it is read as a request (RFC 9112, 6.1). */
export function framingProblem({ request, response }: Exchange): ApiError | undefined {
  const coding = request.headers['transfer-encoding']
  if (coding === undefined || (coding.toLowerCase() === 'chunked' && request.httpVersion !== '1.0')) return undefined
  response.shouldKeepAlive = false
  return errors.invalidParams(['Transfer-Encoding: must be chunked, and HTTP/1.0 has none'])
}
