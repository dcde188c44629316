/**
 * The keys of all advisory locks in the database of the service. They are arbitrary numbers that are the same on every node
 * and in every version. `environment…` locks have the environment as a second key. Those of the embedded PostgreSQL are in
 * `embedded/ownership.ts`.
 */
export const advisoryLocks = {
  /** Only one process at a time changes, replaces or distributes the schema. */
  schema: 7_150_211,
  /** Serialises the creation of subscriptions, so that their limit is exact. */
  environmentSubscriptions: 7_150_212,
  /** One node at a time maintains the webhook tables. */
  webhookMaintenance: 7_150_213,
  /** One node at a time deletes the rows of a deleted environment. */
  environmentSweep: 7_150_214,
  /** One count of a condition at a time runs in an environment. */
  environmentCount: 7_150_219,
  /** What starts content shares it; what publishes other versions has it alone. */
  environmentPublished: 7_150_220,
  /** One process at a time imports a file. Its second key is from the content of the file. */
  import: 7_150_221,
} as const
