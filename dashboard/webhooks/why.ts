import type { DeliveryFailureCode } from '../../contract/delivery-failures.ts'
import type { Endpoint } from './queries.ts'
import { hostOf } from './words.ts'

export type Why = { title: string; advice: string }

type Failed = Pick<Endpoint['health'], 'last_status' | 'last_failure' | 'last_failure_code'>

const BY_STATUS: [(status: number) => boolean, (status: number) => Why][] = [
  [
    (status) => status === 401 || status === 403,
    (status) => ({
      title: `Your server answered ${status}.`,
      advice:
        'It asks for a password or a token that Usher does not have. Let the path through, and check the signature instead.',
    }),
  ],
  [
    (status) => status === 404 || status === 410,
    (status) => ({
      title: `Your server answered ${status}.`,
      advice: 'The path is gone. Change the URL, or put the receiver back.',
    }),
  ],
  [
    (status) => status === 400,
    () => ({
      title: 'Your server answered 400.',
      advice:
        'Usually its signature check refuses the request. Compare the secret, and sign the raw body, before any JSON parser has touched it.',
    }),
  ],
  [
    (status) => status === 429,
    () => ({ title: 'Your server answered 429.', advice: 'It asks for less. Retry-After is kept; nothing is lost.' }),
  ],
  [
    (status) => status >= 300 && status < 400,
    (status) => ({
      title: `Your server answered ${status}, a redirect.`,
      advice: 'Redirects are not followed. Put the final address into the URL.',
    }),
  ],
  [
    (status) => status >= 500,
    (status) => ({
      title: `Your server answered ${status}${nameOf(status)}.`,
      advice: 'It could be reached, so the fault is behind it. Look into its log, and at the response of the attempt.',
    }),
  ],
]

const TIMED_OUT: Why = {
  title: 'The connection timed out.',
  advice: 'Open the firewall of your server for the address of this one.',
}
const LATE: Why = {
  title: 'Your server did not answer in time.',
  advice: 'It has 15 seconds. Answer first, and work afterwards.',
}

const BY_FAILURE: Partial<Record<DeliveryFailureCode, (url: string) => Why>> = {
  name_not_resolved: (url) => ({
    title: `The name ${hostOf(url)} could not be resolved.`,
    advice: 'Check the host in the URL and its DNS record.',
  }),
  connection_refused: (url) => ({
    title: 'Your server refused the connection.',
    advice: `Nothing listens on ${portOf(url)} of ${hostOf(url)}. Start the server, or change the port in the URL.`,
  }),
  connect_timeout: () => TIMED_OUT,
  connection_timed_out: () => TIMED_OUT,
  address_unreachable: () => TIMED_OUT,
  certificate_invalid: () => ({
    title: 'The certificate of your server is not valid.',
    advice: 'Renew it, or send the whole chain.',
  }),
  tls_failed: () => ({ title: 'The TLS handshake failed.', advice: 'Offer TLS 1.2 or newer.' }),
  response_timeout: () => LATE,
  response_unfinished: () => LATE,
  address_forbidden: () => ({
    title: 'The address is a private one.',
    advice: 'Use a public address, or set USHER_WEBHOOK_ALLOW_PRIVATE=true on this server.',
  }),
  connection_closed: () => ({
    title: 'Your server closed the connection before it had answered.',
    advice: 'Look into its log for a crash or a time limit of a proxy in front of it.',
  }),
}

/** Why a delivery failed, and what to do, as text. */
export function whyOf(
  url: string,
  { last_status: status, last_failure: failure, last_failure_code: code }: Failed,
): Why {
  const answered = status === null ? undefined : BY_STATUS.find(([fits]) => fits(status))
  if (answered && status !== null) return answered[1](status)
  const known = code && BY_FAILURE[code]
  if (known) return known(url)
  return {
    title: status === null ? sentence(failure ?? 'It was not answered') : `Your server answered ${status}.`,
    advice: 'Anything but 2xx counts as not received.',
  }
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`

function portOf(url: string): string {
  try {
    const { port, protocol } = new URL(url)
    return `port ${port || (protocol === 'http:' ? 80 : 443)}`
  } catch {
    return 'the port'
  }
}

const NAMES: Record<number, string> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
const nameOf = (status: number) => (NAMES[status] ? ` ${NAMES[status]}` : '')
