/**
 * Numbers that were fitted to measurements and do not change behaviour. Each has its measured benefit. Limits and timeouts
 * that a client or an operator can notice are where they are used.
 */
export const tuning = {
  /** Batching (`batcher.ts`). */
  batcher: {
    /** One batch that runs, and one that is committing: PostgreSQL is never idle between two commits. */
    mostUnderWay: 2,
    /** After a batch of at least this size the next one waits for the same clients: with 64 connections 31 events in a transaction instead of 25. */
    many: 8,
    /** How long it waits at most. A client that continues at once sends its next request within this time. */
    longestWaitMs: 2,
    /** A batch that has not reached its commit by then does not block the next one: a locked environment delays others by this much. */
    setAsideMs: 25,
    /** The most batches set aside at once. The other connections are left for running batches. */
    mostSetAside: 3,
  },
  /** The most jobs in a transaction, and ids in a read: a batch takes some milliseconds, and so does its retry. */
  mostJobs: 500,
  mostIds: 500,
  /** The least number of requests of one turn of the event loop that are started at once: with wrk 0.96 of the yardstick for events, 0.82 with all 64. */
  smallestRequestBatch: 32,
  /** Statements on one shared connection, one that runs and one that follows at once: 1,720 lists a second instead of 1,400. */
  statementsPerConnection: 2,
} as const
