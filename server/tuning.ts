/**
 * Numbers that were fitted to measurements and do not change behaviour. Each has its measured benefit. "Closed" figures are
 * of clients that wait for their answers (64 connections), "open" ones of arrivals at 75 % of capacity: the 99th percentile
 * of POST /events against the yardstick's, which was 4.2 and 5.3 with all of these numbers. Limits and timeouts that a
 * client or an operator can notice are where they are used.
 *
 * Three flags of V8 belong here too, but have to be on the command line: `--max-semi-space-size`,
 * `--heap-growing-percent` and `--no-allocation-site-pretenuring` in `package.json` and `bin/usher.js`
 * (docs/decisions/030-small-heap.md). The first two save 66 MB and 35 MB or more. Open, without the first: 4.3, and 40 MB
 * more; without the second: 6.3, and 14 instead of 4.6 for POST /users. Without the third, POST /users at 4,500 a second had
 * a 99th percentile of 30 to 46 ms instead of 14 to 19 ms.
 */
export const tuning = {
  /** Batching (`batches/batcher.ts`). */
  batcher: {
    /**
     * One batch that runs, and one that is committing: PostgreSQL is never idle between two commits. Closed, with 1: a
     * quarter fewer upserts. Open, with 1: 7.2.
     */
    mostUnderWay: 2,
    /**
     * After a batch of at least this size the next one waits for the same clients. Closed: 31 events in a transaction
     * instead of 25. Open: 4.2 to 5.3; without this wait 8.5.
     */
    many: 8,
    /** How long it waits at most. A client that continues at once sends its next request within this time. Open, with 0: 7.5. */
    longestWaitMs: 2,
    /**
     * The part of the clients that a batch of writes forgets when there are fewer now. Those that were just answered have not
     * sent their next requests, and are still there. With 1, the server was idle for 9 % of the time, this way for 5 %.
     */
    forgotten: 1 / 8,
  },
  /** The most jobs in a transaction, and ids in a read: a batch takes some milliseconds, and so does its retry. */
  mostJobs: 500,
  mostIds: 500,
  /**
   * The least number of requests of one turn of the event loop that are started at once. Closed: 0.96 of the yardstick for
   * events, 0.82 with all 64. Open: no difference (3.9), at a capacity that is a seventh smaller.
   */
  smallestRequestBatch: 32,
  /**
   * From this length on an answer is not joined with its headers, and only its beginning is kept after it was sent: V8 frees
   * long texts late. 64 clients that read expanded pages of 150 kB took 267 MB, this way 205 MB; those that share a page got
   * 2,900 a second instead of 2,100.
   */
  longAnswerBytes: 64 * 1024,
  /**
   * Statements on one shared connection, one that runs and one that follows at once: 1,720 lists a second instead of 1,400.
   * Open: no difference for writes.
   */
  statementsPerConnection: 2,
  /**
   * Rounds of delivery (`webhooks/delivery/round-pace.ts`). Open, with three subscriptions to every event: the median of
   * POST /events at 75 % of capacity was 15 ms, without the gap 105 ms; the 99th percentile at 50 % was 6.3, without the
   * slower rounds under load 26.
   */
  deliveryRounds: {
    /** The least time between rounds: under load, each round then claims enough to be worth its statements. */
    gapMs: 40,
    mostPerClaim: 500,
    /** The same while requests wait for the processor: requests have priority. */
    pressedGapMs: 100,
    mostPerPressedClaim: 40,
    /** From this utilization of the event loop on, waiting requests wait for the processor. */
    pressedUtilization: 0.7,
  },
  /** The embedded PostgreSQL. */
  postgres: {
    /**
     * Measured when a new segment of the log was filled with zeros, for which all writers waited
     * (docs/decisions/228-new-segments-without-zeros.md): with the usual 16 MB for some 30 ms, once a second under load. 23
     * to 32 ms for the slowest of a hundred events with three subscriptions, 24 to 63 ms with 16 MB; with 1 MB they are so
     * many that it is worse again. Open, with 16 MB: 7.8.
     */
    segmentMegabytes: 4,
    /**
     * How much freed memory the C library of Linux keeps, and how much it allocates at once. Otherwise it returned a
     * quarter of a megabyte to the system after every statement with a large text and allocated it again for the next: a
     * tenth of the time of a list. Open, without: 4.3, but 6.4 instead of 4.6 for POST /users.
     */
    trimThresholdBytes: 8 * 1024 * 1024,
    topPadBytes: 1024 * 1024,
  },
} as const
