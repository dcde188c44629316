/** The failures that only the calls under `/sdk` have, beside those of `contract/errors.ts`, and their HTTP status. */
export const sdkErrorCodes = {
  /** There is no public token, or it is malformed, unknown or revoked. */
  invalid_public_token: { status: 401 },
  /** There is no visitor token, it has expired, its user was deleted, or the secret of its proof was revoked: identify again. */
  visitor_expired: { status: 401 },
  /** The signature or the JWT of an identity is wrong, or there is none and one is required. */
  identity_not_verified: { status: 403 },
  /** The token of edit mode is unknown, used, expired, or of another origin, or its member may not edit any more. */
  edit_ended: { status: 401 },
  /** The environment does not allow pages of this origin. */
  origin_not_allowed: { status: 403 },
} as const

export type SdkErrorCode = keyof typeof sdkErrorCodes
