/** Every error the service answers with: its HTTP status and what it means. The OpenAPI document is made from this table. */
export const errorCodes = {
  invalid_params: {
    status: 400,
    meaning:
      'A query parameter, a header or a body field is wrong. The message names every problem, each with the path of its field.',
  },
  invalid_json: { status: 400, meaning: 'The body is not JSON, or stopped half way.' },
  https_required: { status: 400, meaning: 'The request came over plain HTTP.' },
  feature_not_available: { status: 400, meaning: 'A group was written on a plan that has no groups.' },
  invalid_api_key: { status: 401, meaning: 'There is no API key, or it is malformed, unknown or revoked.' },
  not_found: {
    status: 404,
    meaning: 'The user, group or webhook subscription does not exist in the environment of the key.',
  },
  unknown_url: { status: 404, meaning: 'There is nothing at this path.' },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method; the Allow header lists those that do.',
  },
  not_acceptable: { status: 406, meaning: 'The Accept header excludes JSON.' },
  request_timeout: { status: 408, meaning: 'The request was not sent completely in time.' },
  payload_too_large: { status: 413, meaning: 'The body is over the limit.' },
  unsupported_media_type: { status: 415, meaning: 'The Content-Type of a POST or PATCH is not application/json.' },
  rate_limited: {
    status: 429,
    meaning: 'The account has used up its requests of this minute; Retry-After says when to try again.',
  },
  headers_too_large: { status: 431, meaning: 'The request headers are over the limit.' },
  internal_error: { status: 500, meaning: 'Something failed inside the service. Retrying is advised.' },
  overloaded: { status: 503, meaning: 'The request waited too long for its turn; Retry-After says when to try again.' },
  unavailable: {
    status: 503,
    meaning: 'The service is starting, stopping or without its database; Retry-After says when to try again.',
  },
} as const

export type ErrorCode = keyof typeof errorCodes
