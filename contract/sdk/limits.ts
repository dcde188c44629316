/** The limits of the public side, each written once. Those of the API are in `contract/limits.ts`. */
export const sdkLimits = {
  bodyBytes: 64 * 1024,
  /** Of one browser. */
  requestsPerMinute: 120,
  /** Of one address; of IPv6 its /64. Each report of a request counts as one. */
  requestsPerAddressAndMinute: 3_000,
  visitorSeconds: 3_600,
  /** Of a visitor token. It has 4,404 with the longest ids of a user and of two groups, in letters of four bytes. */
  visitorCharacters: 6_000,
  /** How long the tokens of a page are renewed after it has identified its user. */
  identifiedSeconds: 24 * 3_600,
  jwtBytes: 4_096,
  /** How much the clocks of the back end and of Usher may differ. */
  skewSeconds: 30,
  identitySecrets: 2,
  originsPerEnvironment: 100,
  originCharacters: 255,
  /** Origins that are named among the refused ones: in a day, and on one node. */
  refusedOriginsPerDay: 50,
  /** Versions of the script that are told apart: in a day, and on one node. */
  scriptVersionsPerDay: 50,
  /** Users of one day, origin and proof that are kept of those whom pages have identified. */
  identifiedUsers: 500,
  /** For how long a public token works after it was exchanged for another. */
  rotatedTokenDays: 7,
  /** Of a browser id, and of the key of a call. */
  browserIdCharacters: 64,
  errorCharacters: 300,
  /** What all pages of an environment may create in a minute, on one node. */
  newUsersPerMinute: 6_000,
  newNamesPerMinute: 60,
  eventsPerMinute: 30_000,
  /** What pages report of sessions. Nearly each is an event. */
  reportsPerMinute: 60_000,
  /**
   * What pages have stored: of an event and a report what was sent, of a user or a group all its attributes, in whole steps. A
   * change of one value writes the whole object and its notification again.
   */
  bytesPerMinute: 128 * 1024 * 1024,
  /** Nearly all objects are smaller, so what is left tells nobody how large one is, or whether it was there. */
  bytesPerStep: 2_048,
  /** Open streams on one node. */
  streamsPerEnvironment: 50_000,
  streamsPerAddress: 1_000,
} as const
