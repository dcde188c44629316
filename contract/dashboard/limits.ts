/** The limits of the dashboard's own fields, each written once. The browser imports this file at run time. */
export const dashboardLimits = {
  passwordLeastCharacters: 10,
  passwordCharacters: 200,
  /** Of a condition in the address of a list. A longer one is saved as a segment first. */
  conditionInAddress: 6000,
  displayNameCharacters: 100,
  descriptionCharacters: 2000,
  membersPerAccount: 1000,
  environmentsPerAccount: 100,
  /** A year. */
  quietSeconds: 31_536_000,
  /** Of a request without a session. */
  anonymousBodyBytes: 8 * 1024,
} as const
