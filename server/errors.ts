import { type DashboardErrorCode, dashboardErrorCodes } from '../contract/dashboard/errors.ts'
import { type ErrorCode, errorCodes } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import { type SdkErrorCode, sdkErrorCodes } from '../contract/sdk/errors.ts'

/** The codes of a claim that is refused. */
export type GateCode = Extract<
  ErrorCode,
  | 'user_unknown'
  | 'not_published'
  | 'guidance_off'
  | 'version_changed'
  | 'already_seen'
  | 'already_completed'
  | 'not_again_before'
  | 'at_most_reached'
  | 'quiet_until'
  | 'shown_elsewhere'
  | 'claimed'
>

type AnyCode = ErrorCode | DashboardErrorCode | SdkErrorCode

const statuses: Record<AnyCode, { status: number }> = { ...errorCodes, ...dashboardErrorCodes, ...sdkErrorCodes }

/** A failure that is answered to the caller. Its code determines the status. */
export class ApiError extends Error {
  readonly code: AnyCode
  readonly status: number
  readonly headers: Record<string, string>
  /** The field or query parameter that is wrong, when there is exactly one. */
  readonly param: string | undefined
  /** Each problem by itself, when there are several. */
  readonly problems: readonly FieldProblem[] | undefined

  constructor(
    code: AnyCode,
    message: string,
    headers: Record<string, string> = {},
    param?: string,
    problems?: readonly FieldProblem[],
  ) {
    super(message)
    this.code = code
    this.status = statuses[code].status
    this.headers = headers
    this.param = param
    this.problems = problems
  }
}

/** What is wrong with a field or a query parameter. */
export interface FieldProblem {
  param: string | undefined
  message: string
}

/** A problem of a request: a text that begins with the path of the field and a colon, or the two separately. */
export type Problem = string | FieldProblem

/** The URL of the documentation of an error code. The base is the URL of the service. */
export function documentationUrl(base: string, code?: AnyCode): string {
  return code === undefined ? `${base}/docs` : `${base}/docs/errors#${code}`
}

const ANSWERS_TOO_LARGE = `The answers of the batch would be over ${limits.batchAnswerBytes / 1024 / 1024} MiB`

/** The wording of every failure, in one place. */
export const errors = {
  invalidParams: (problems: readonly Problem[]) => {
    const found = problems.map(partsOf)
    const several = found.length > 1 ? found.slice(0, MOST_LISTED) : undefined
    return new ApiError('invalid_params', summarise(found.map(textOf)), {}, onlyParam(found), several)
  },
  invalidJson: (detail: string) => new ApiError('invalid_json', detail),
  httpsRequired: () =>
    new ApiError(
      'https_required',
      'Plain HTTP is refused. Use https, or let a proxy that is listed in USHER_TRUSTED_PROXIES terminate it.',
    ),
  groupsNotAvailable: (plan: string) =>
    new ApiError(
      'feature_not_available',
      `The plan ${plan} has no groups. Leave out the groups, or change the plan of the account.`,
    ),
  invalidApiKey: (detail: string) =>
    new ApiError('invalid_api_key', detail, { 'WWW-Authenticate': 'Bearer realm="Usher"' }),
  metricsClosed: () =>
    new ApiError(
      'invalid_api_key',
      'The metrics are shown on this machine, or to Authorization: Bearer <USHER_METRICS_TOKEN>.',
      { 'WWW-Authenticate': 'Bearer realm="Usher metrics"' },
    ),
  notFound: (
    kind:
      | 'User'
      | 'Group'
      | 'Event'
      | 'Content'
      | 'Content version'
      | 'Content session'
      | 'Segment'
      | 'Webhook subscription'
      | 'Webhook delivery',
    id: string,
  ) => new ApiError('not_found', `${kind} with id '${id}' not found`),
  sequenceGap: (stored: number, missing: number) =>
    new ApiError(
      'sequence_gap',
      `The last report that is stored has the sequence ${stored}, and ${missing} is missing. Send all reports after ${stored}.`,
    ),
  /** A claim was refused by a gate. */
  gateClosed: (code: GateCode, message: string) => new ApiError(code, message),
  tooManySubscriptions: () =>
    new ApiError(
      'invalid_params',
      `An environment has at most ${limits.subscriptionsPerEnvironment} webhook subscriptions. Delete one, or change one.`,
    ),
  tooManySecrets: () =>
    new ApiError(
      'invalid_params',
      `At most ${limits.secretsPerSubscription} secrets of a subscription sign at the same time. Wait until an old one expires, or end all old ones with old_secret_expires_in: 0.`,
    ),
  segmentInUse: (key: string, kind: string, by: string) =>
    new ApiError('in_use', `The segment ${key} is used by the ${kind} ${by}. Change that first.`),
  unknownUrl: (method: string, path: string) =>
    new ApiError('unknown_url', `There is nothing at ${method} ${path}. The paths are listed at /docs.`),
  methodNotAllowed: (method: string, allowed: string) =>
    new ApiError('method_not_allowed', `${method} is not allowed here. Use ${allowed}.`, { Allow: allowed }),
  idempotencyKeyReused: () =>
    new ApiError(
      'idempotency_key_reused',
      'The Idempotency-Key was used for another request within 24 hours. Use a new key for a new request.',
    ),
  answerErased: () =>
    new ApiError(
      'idempotency_key_reused',
      'The Idempotency-Key was used within 24 hours, and what was written with it has been deleted since. Use a new key to write it again.',
    ),
  notAcceptable: () =>
    new ApiError(
      'not_acceptable',
      'The Accept header excludes JSON. Accept application/json, or leave the header out.',
    ),
  requestTimeout: () =>
    new ApiError('request_timeout', 'The request was not sent completely in time.', { Connection: 'close' }),
  payloadTooLarge: (mostBytes: number) =>
    new ApiError('payload_too_large', `The body is over ${mostBytes} bytes. Send less in one request.`, {
      Connection: 'close',
    }),
  noRoomForAnswer: () =>
    new ApiError(
      'payload_too_large',
      `${ANSWERS_TOO_LARGE}: this operation and those behind it are not carried out. Send them in another batch.`,
    ),
  answersTooLarge: () =>
    new ApiError('payload_too_large', `${ANSWERS_TOO_LARGE}: nothing of it is stored. Send fewer operations.`),
  batchTooLarge: () =>
    new ApiError(
      'payload_too_large',
      `The objects of the batch would have over ${limits.batchAnswerBytes / 1024 / 1024} MiB of attributes: nothing of it is stored. Send fewer operations.`,
    ),
  unsupportedMediaType: () =>
    new ApiError('unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.'),
  unsupportedEncoding: () =>
    new ApiError('unsupported_media_type', 'Content-Encoding: must be one of gzip, deflate, br and zstd, or absent.', {
      'Accept-Encoding': 'gzip, deflate, br, zstd',
    }),
  rateLimited: (perMinute: number, headers: Record<string, string>) =>
    new ApiError(
      'rate_limited',
      `The account has used its ${perMinute} requests of this minute. Try again after the seconds in Retry-After.`,
      headers,
    ),
  /** Of pages: by browser, by address, or for what all pages of an environment may create. */
  tooManyFromPages: (message: string, seconds: number) =>
    new ApiError('rate_limited', `${message} Try again after the seconds in Retry-After.`, {
      'Retry-After': String(seconds),
    }),
  invalidPublicToken: (detail: string) =>
    new ApiError('invalid_public_token', detail, { 'WWW-Authenticate': 'Bearer realm="Usher pages"' }),
  visitorExpired: () =>
    new ApiError(
      'visitor_expired',
      'There is no visitor token, it has expired, its user was deleted, or the secret of its proof was revoked. Identify again.',
      { 'WWW-Authenticate': 'Bearer realm="Usher pages"' },
    ),
  identityNotVerified: (detail: string) => new ApiError('identity_not_verified', detail),
  originNotAllowed: (origin: string) =>
    new ApiError(
      'origin_not_allowed',
      `Pages of ${origin} may not use this environment. Add the origin: npx usher origins add ${origin} --environment NAME`,
    ),
  editEnded: () =>
    new ApiError(
      'edit_ended',
      'This tab may not edit any more: its token was used already, has expired, or belongs elsewhere. Open the page again from the editor.',
    ),
  batchOverRate: (operations: number, left: number, headers: Record<string, string>) =>
    new ApiError(
      'rate_limited',
      `The batch has ${operations} operations, and the account has ${left} more requests in this minute. Send fewer, or try again after the seconds in Retry-After.`,
      headers,
    ),
  headersTooLarge: () =>
    new ApiError('headers_too_large', 'The request headers are too large.', { Connection: 'close' }),
  internal: () =>
    new ApiError(
      'internal_error',
      'Something failed inside the service. Try again; if it stays, report the request id.',
    ),
  bodiesOverloaded: () =>
    new ApiError('overloaded', 'The service holds too many bytes of other requests at the moment. Try again shortly.', {
      'Retry-After': '5',
    }),
  answersOverloaded: () =>
    new ApiError(
      'overloaded',
      'Too many long answers were not read yet. Read them, or ask for fewer objects at a time, and try again.',
      { 'Retry-After': '5' },
    ),
  tooManyStreams: () =>
    new ApiError('overloaded', 'Too many pages show live requests at the moment. Close some of them.', {
      'Retry-After': '5',
    }),
  tooManyExports: () =>
    new ApiError('overloaded', 'Too many exports of this account are being read. Read them, and try again.', {
      'Retry-After': '5',
    }),
  overloaded: () =>
    new ApiError('overloaded', 'The request waited too long for its turn. Try again shortly.', { 'Retry-After': '5' }),
  notSignedIn: () => new ApiError('not_signed_in', 'You are not signed in, or the session has ended. Sign in again.'),
  wrongCredentials: () => new ApiError('wrong_credentials', 'The e-mail or the password is wrong.'),
  roleRequired: (role: string) =>
    new ApiError('role_required', `This needs the role ${role}. An owner or an admin can give it.`),
  crossSite: () =>
    new ApiError('cross_site', 'The request comes from another site. Changes are made in the dashboard itself.'),
  draftChanged: (message: string) => new ApiError('draft_changed', `${message} Read it again.`),
  /** `last` has who changed it, as far as the audit log knows. */
  changedMeanwhile: (kind: string, name: string, last: { actor_name: string } | undefined) =>
    new ApiError('conflict', `${last?.actor_name ?? 'Somebody else'} has changed the ${kind} ${name} meanwhile.`),
  conflict: (message: string) => new ApiError('conflict', message),
  linkGone: (message: string) => new ApiError('link_gone', message),
  tooManyAttempts: (seconds: number) =>
    new ApiError(
      'too_many_attempts',
      `Too many attempts to sign in. Try again in ${Math.ceil(seconds / 60)} minutes.`,
      {
        'Retry-After': String(seconds),
      },
    ),
  gone: (kind: string, name: string) => new ApiError('not_found', `${kind} ${name} not found`),
  unavailable: (why: string) => new ApiError('unavailable', `${why} Try again shortly.`, { 'Retry-After': '2' }),
}

/** `attributes.seats.add: must be a number` is about `attributes.seats.add`. */
function partsOf(problem: Problem): FieldProblem {
  if (typeof problem !== 'string') return { param: problem.param || undefined, message: problem.message }
  const end = problem.indexOf(': ')
  const param = end < 0 ? '' : problem.slice(0, end)
  return FIELD_PATH.test(param) ? { param, message: problem.slice(end + 2) } : { param: undefined, message: problem }
}

// The names of fields, with attribute names below them, which may have spaces and dashes.
const FIELD_PATH = /^[a-z_]+(?:\[\d+\]|\.[\w -]+)*$/

function textOf({ param, message }: FieldProblem): string {
  return param === undefined ? message : `${param}: ${message}`
}

function onlyParam(problems: readonly FieldProblem[]): string | undefined {
  const [first, ...others] = new Set(problems.map(({ param }) => param))
  return others.length === 0 ? first : undefined
}

const MOST_PROBLEMS = 20
const MOST_LISTED = 100

function summarise(problems: readonly string[]): string {
  const distinct = [...new Set(problems)]
  const more = distinct.length - MOST_PROBLEMS
  return distinct.slice(0, MOST_PROBLEMS).join('; ') + (more > 0 ? `; and ${more} more problems` : '')
}
