/** The failures that only the dashboard's API has, beside those of `contract/errors.ts`, and their HTTP status. */
export const dashboardErrorCodes = {
  /** There is no session, or it has ended. */
  not_signed_in: { status: 401 },
  /** Signing in: the same for an unknown e-mail and a wrong password. */
  wrong_credentials: { status: 401 },
  /** The member needs a higher role. The message names it. */
  role_required: { status: 403 },
  /** A write whose Origin is not that of the dashboard. */
  cross_site: { status: 403 },
  /** The request conflicts with the current state: a taken name, the last owner, or a concurrent change. */
  conflict: { status: 409 },
  /** A one-time link that was used, has expired, or was never made. */
  link_gone: { status: 410 },
  /** Too many attempts to sign in; Retry-After says when to try again. */
  too_many_attempts: { status: 429 },
} as const

export type DashboardErrorCode = keyof typeof dashboardErrorCodes
