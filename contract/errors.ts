/** Every error the service answers with: its HTTP status, what it means, and a message it may have. The OpenAPI document is made from this table. */
export const errorCodes = {
  invalid_params: {
    status: 400,
    meaning:
      'A query parameter, a header or a body field is wrong. The message names every problem, each with the path of its field.',
    example: 'attributes.seats.add: must be a number; groups[1].id: is required',
  },
  invalid_json: {
    status: 400,
    meaning: 'The body is not JSON, or stopped half way.',
    example: 'The body stopped half way.',
  },
  https_required: {
    status: 400,
    meaning: 'The request came over plain HTTP.',
    example: 'Plain HTTP is refused. Use https, or let a proxy that is listed in USHER_TRUSTED_PROXIES terminate it.',
  },
  feature_not_available: {
    status: 400,
    meaning: 'A group was written on a plan that has no groups.',
    example: 'The plan starter has no groups. Leave out the groups, or change the plan of the account.',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'There is no API key, or it is malformed, unknown or revoked.',
    example: 'The API key is not known, or was revoked.',
  },
  not_found: {
    status: 404,
    meaning:
      'What the path or the body names, such as a user, a content or a webhook subscription, does not exist in the environment of the key.',
    example: "User with id 'u_1' not found",
  },
  unknown_url: {
    status: 404,
    meaning: 'There is nothing at this path.',
    example: 'There is nothing at GET /user. The paths are listed at /docs.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but not with this method; the Allow header lists those that do.',
    example: 'PUT is not allowed here. Use GET, HEAD, POST.',
  },
  not_acceptable: {
    status: 406,
    meaning: 'The Accept header excludes JSON.',
    example: 'The Accept header excludes JSON. Accept application/json, or leave the header out.',
  },
  idempotency_key_reused: {
    status: 409,
    meaning:
      'The Idempotency-Key was used for a request with another method, path or body within 24 hours, or for one about a user or group that has been deleted since.',
    example: 'The Idempotency-Key was used for another request within 24 hours. Use a new key for a new request.',
  },
  draft_changed: {
    status: 409,
    meaning: 'The draft is not the one that `expected_draft` names: somebody else has changed it. Read it again.',
    example: 'The draft is 3.8 now, not 3.7: Jun Kato changed it at 2026-01-03T09:30:00.000Z. Read it again.',
  },
  in_use: {
    status: 409,
    meaning: 'What is to be deleted is used. The message names what uses it.',
    example: 'The segment growing-teams is used by the content first-report. Change or unpublish it first.',
  },
  user_unknown: {
    status: 409,
    meaning: 'Content was claimed for a user that does not exist.',
    example: 'The user u_1 is not known. Create it with POST /users first.',
  },
  not_published: {
    status: 409,
    meaning: 'Content was claimed that is not published.',
    example: 'The content is not published.',
  },
  guidance_off: {
    status: 409,
    meaning: 'All content of the environment is switched off.',
    example: 'All content of this environment is switched off.',
  },
  version_changed: {
    status: 409,
    meaning: 'Another version was published since the decision. Decide again.',
    example: 'Another version of the content is published now. Decide again.',
  },
  already_seen: {
    status: 409,
    meaning: 'The user has seen the content, and it is shown once.',
    example: 'The user has seen this content, and it is shown once.',
  },
  already_completed: {
    status: 409,
    meaning: 'The user has completed the content, and it is shown until then.',
    example: 'The user has completed this content.',
  },
  not_again_before: {
    status: 409,
    meaning: 'The content is shown to a user at most once in a while, and the time has not come.',
    example: 'This content is not shown to the user again before 2026-01-10T09:30:00.000Z.',
  },
  at_most_reached: {
    status: 409,
    meaning: 'The content has been shown to the user as often as it may be.',
    example: 'This content was shown to the user 3 times, which is the most.',
  },
  quiet_until: {
    status: 409,
    meaning: 'A flow has ended a moment ago, and no other starts by itself for a while.',
    example: 'No flow starts by itself for this user before 2026-01-03T10:00:00.000Z.',
  },
  shown_elsewhere: {
    status: 409,
    meaning: 'Something is visible in this slot already, perhaps in another browser of the user.',
    example: 'The user sees another flow at the moment.',
  },
  claimed: {
    status: 409,
    meaning: 'Something else has claimed this slot and is about to be shown to the user.',
    example: 'Another flow is about to be shown to the user.',
  },
  sequence_gap: {
    status: 409,
    meaning:
      'A report is missing: the sequences of reports have no gaps. The message names the last one that is stored.',
    example: 'The last report that is stored has the sequence 4, and 5 is missing. Send all reports after 4.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request was not sent completely in time.',
    example: 'The request was not sent completely in time.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is over the limit, or the answers of the operations before this one in a batch are.',
    example: 'The body is over 1048576 bytes. Send less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    meaning:
      'The Content-Type of a POST or PATCH is not application/json, or its Content-Encoding is none of gzip, deflate, br and zstd.',
    example: 'Send the body as JSON, with Content-Type: application/json.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The account has used up its requests of this minute; Retry-After says when to try again.',
    example: 'The account has used its 500 requests of this minute. Try again after the seconds in Retry-After.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The request headers are over the limit.',
    example: 'The request headers are too large.',
  },
  internal_error: {
    status: 500,
    meaning: 'Something failed inside the service. Retrying is advised.',
    example: 'Something failed inside the service. Try again; if it stays, report the request id.',
  },
  overloaded: {
    status: 503,
    meaning: 'The request waited too long for its turn; Retry-After says when to try again.',
    example: 'The request waited too long for its turn. Try again shortly.',
  },
  unavailable: {
    status: 503,
    meaning: 'The service is starting, stopping or without its database; Retry-After says when to try again.',
    example: 'The database cannot be reached. Try again shortly.',
  },
} as const

export type ErrorCode = keyof typeof errorCodes
