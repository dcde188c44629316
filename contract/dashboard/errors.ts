/** The failures that only the dashboard's API has, beside those of `contract/errors.ts`, and their HTTP status. */
export const dashboardErrorCodes = {
  /** There is no session, or it has ended. */
  not_signed_in: { status: 401 },
  /** Signing in: the same for an unknown e-mail and a wrong password. */
  wrong_credentials: { status: 401 },
  /** The role of the member does not suffice; the message names the one that does. */
  role_required: { status: 403 },
  /** A write whose Origin is not that of the dashboard. */
  cross_site: { status: 403 },
  /** What is asked for contradicts what is there: a name is taken, the last owner, another one was quicker. */
  conflict: { status: 409 },
  /** A one-time link that was used, has expired, or was never made. */
  link_gone: { status: 410 },
  /** Too many attempts to sign in; Retry-After says when to try again. */
  too_many_attempts: { status: 429 },
} as const

export type DashboardErrorCode = keyof typeof dashboardErrorCodes
