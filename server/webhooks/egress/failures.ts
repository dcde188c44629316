import { type DeliveryFailureCode, failureText } from '../../../contract/delivery-failures.ts'

/** A failure whose message is already in plain words. */
export class PlainFailure extends Error {
  override name = 'PlainFailure'
}

const BY_CODE = {
  ENOTFOUND: 'name_not_resolved',
  EAI_AGAIN: 'name_not_resolved',
  EAI_FAIL: 'name_not_resolved',
  EAI_NODATA: 'name_not_resolved',
  ENODATA: 'name_not_resolved',
  ECONNREFUSED: 'connection_refused',
  EHOSTUNREACH: 'address_unreachable',
  ENETUNREACH: 'address_unreachable',
  EADDRNOTAVAIL: 'address_unreachable',
  ETIMEDOUT: 'connection_timed_out',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
  EPROTO: 'tls_failed',
  UND_ERR_SOCKET: 'connection_closed',
  UND_ERR_HEADERS_OVERFLOW: 'response_headers_too_large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'response_length_wrong',
  UND_ERR_CLOSED: 'sender_closed',
  UND_ERR_DESTROYED: 'sender_closed',
} as const satisfies Record<string, DeliveryFailureCode>

const LONGEST_CAUSE = 200

/** The cause of a failed attempt as text for the delivery log. */
export function plainWords(error: Error): string {
  if (error instanceof PlainFailure) return error.message
  const code = codeOf(error)
  // undici reports an unasked-for 100 or 101 as a socket error with these messages.
  const isUnasked = error.message === 'bad response' || error.message === 'bad upgrade'
  if (isUnasked || error.name === 'HTTPParserError' || code.startsWith('HPE_')) return failureText('response_invalid')
  if (Object.hasOwn(BY_CODE, code)) return failureText(BY_CODE[code as keyof typeof BY_CODE])
  if (code.startsWith('ERR_SSL_')) return failureText('tls_failed')
  return failureText('request_failed', error.message.slice(0, LONGEST_CAUSE))
}

/** Whether the error means a lost connection. */
export function isConnectionLoss(error: Error): boolean {
  return ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(codeOf(error))
}

export function certificateFailure(error: Error): PlainFailure {
  return new PlainFailure(failureText('certificate_invalid', error.message.slice(0, LONGEST_CAUSE)), { cause: error })
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}
