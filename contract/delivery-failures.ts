/**
 * Why an attempt to deliver failed, by code: the words with which its text begins. Words that end in a space go on with what
 * is known of this attempt alone. Of two that begin alike, the longer one stands first. The text is stored, so attempts that
 * an earlier version stored have a code too.
 */
export const deliveryFailures = {
  name_not_resolved: 'could not resolve the name',
  connection_refused: 'connection refused',
  connect_timeout: 'could not connect within ',
  connection_timed_out: 'the connection timed out',
  address_unreachable: 'the address cannot be reached',
  address_forbidden: 'the address ',
  plain_http: 'plain http: is for loopback addresses only',
  tls_failed: 'the TLS handshake failed',
  certificate_invalid: 'the certificate is not valid: ',
  connection_closed: 'the connection was closed before the response was complete',
  response_timeout: 'no response within ',
  response_unfinished: 'no complete response within ',
  response_headers_too_large: 'the response headers are too large',
  response_length_wrong: 'the response is not as long as it says',
  response_invalid: 'the response is not valid HTTP',
  redirected: 'redirects are not followed',
  not_acknowledged: 'the receiver answered ',
  url_invalid: 'the URL is not valid',
  sender_closed: 'the sender is closed',
  request_failed: 'the request failed: ',
} as const

export type DeliveryFailureCode = keyof typeof deliveryFailures
export const deliveryFailureCodes = Object.keys(deliveryFailures) as [DeliveryFailureCode, ...DeliveryFailureCode[]]

type Detailed = {
  [Code in DeliveryFailureCode]: (typeof deliveryFailures)[Code] extends `${string} ` ? Code : never
}[DeliveryFailureCode]

/** The only place that makes the text of a failure. */
export function failureText(code: Exclude<DeliveryFailureCode, Detailed>): string
export function failureText(code: Detailed, detail: string | number): string
export function failureText(code: DeliveryFailureCode, detail: string | number = ''): string {
  return `${deliveryFailures[code]}${detail}`
}

/** Null for no failure, and for a text that this version does not know. */
export function failureCodeOf(text: string | null): DeliveryFailureCode | null {
  return deliveryFailureCodes.find((code) => text?.startsWith(deliveryFailures[code])) ?? null
}
