/**
 * Numbers that were fitted to measurements, and say nothing about what the service does. Each says what it buys. Limits and
 * timeouts that a client or an operator can notice stand where they are used.
 */
export const tuning = {
  /** How requests for the same work are gathered (`batcher.ts`). */
  batcher: {
    /** One batch that works, and one that only has to finish: PostgreSQL is never idle between two commits. */
    mostUnderWay: 2,
    /** From so many on, those who were answered together are waited for: with 64 connections 31 events in a transaction instead of 25. */
    many: 8,
    /** How long they are waited for at most. A client that comes back at once does so within this. */
    longestWaitMs: 2,
    /** A batch that has not come to its commit by then does not keep others from beginning: a locked environment costs others so much. */
    setAsideMs: 25,
    /** Batches set aside at once: they leave connections for those that work. */
    mostSetAside: 3,
  },
  /** Jobs in a transaction, and ids in a read: a batch takes some milliseconds, and one that fails is not tried again for long. */
  mostJobs: 500,
  mostIds: 500,
  /** Requests of one turn of the event loop that are begun at once, at least: with wrk 0.96 of the yardstick for events, 0.82 with all 64. */
  smallestRequestBatch: 32,
  /** Statements on one shared connection, one that runs and one that is there when it ends: 1,720 lists a second instead of 1,400. */
  statementsPerConnection: 2,
} as const
