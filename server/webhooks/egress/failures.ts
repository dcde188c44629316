/** A failure whose message is already in plain words. */
export class PlainFailure extends Error {
  override name = 'PlainFailure'
}

const WORDS: Record<string, string> = {
  ENOTFOUND: 'could not resolve the name',
  EAI_AGAIN: 'could not resolve the name',
  EAI_FAIL: 'could not resolve the name',
  EAI_NODATA: 'could not resolve the name',
  ENODATA: 'could not resolve the name',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'the address cannot be reached',
  ENETUNREACH: 'the address cannot be reached',
  EADDRNOTAVAIL: 'the address cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  ECONNRESET: 'the connection was closed before the response was complete',
  EPIPE: 'the connection was closed before the response was complete',
  EPROTO: 'the TLS handshake failed',
  UND_ERR_SOCKET: 'the connection was closed before the response was complete',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the response is not as long as it says',
  UND_ERR_CLOSED: 'the sender is closed',
  UND_ERR_DESTROYED: 'the sender is closed',
}

const LONGEST_CAUSE = 200

/** The cause of a failed attempt as text for the delivery log. */
export function plainWords(error: Error): string {
  if (error instanceof PlainFailure) return error.message
  const code = codeOf(error)
  // undici reports an unasked-for 100 or 101 as a socket error with these messages.
  if (error.message === 'bad response' || error.message === 'bad upgrade') return 'the response is not valid HTTP'
  if (error.name === 'HTTPParserError' || code.startsWith('HPE_')) return 'the response is not valid HTTP'
  if (WORDS[code]) return WORDS[code]
  if (code.startsWith('ERR_SSL_')) return 'the TLS handshake failed'
  return `the request failed: ${error.message.slice(0, LONGEST_CAUSE)}`
}

/** Whether the error means a lost connection. */
export function isConnectionLoss(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error))
}

export function certificateFailure(error: Error): PlainFailure {
  return new PlainFailure(`the certificate is not valid: ${error.message.slice(0, LONGEST_CAUSE)}`, { cause: error })
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
