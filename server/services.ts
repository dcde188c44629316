import { Keyring } from './accounts/keyring.ts'
import { CommitQueue } from './batches/queue.ts'
import type { Work } from './batches/work.ts'
import { ConditionCounter } from './conditions/counter.ts'
import { FactReader } from './conditions/fact-reader.ts'
import { letScansWait } from './conditions/scan-turns.ts'
import { Counters } from './counters/counters.ts'
import type { Database, EnvironmentId } from './database/database.ts'
import { type TableSize, tableSizes } from './database/table-sizes.ts'
import { askWorkers } from './database/workers.ts'
import { DefinitionRegistry } from './definitions/registry.ts'
import { DefinitionUsage } from './definitions/usage.ts'
import { Remover } from './deletions/remover.ts'
import { Hints } from './hints/hints.ts'
import { Housekeeping } from './housekeeping/housekeeping.ts'
import { CONCURRENCY, ConcurrencyLimiter } from './limits/concurrency-limiter.ts'
import { RateLimiter } from './limits/rate-limiter.ts'
import { SharedReads } from './lists/shared-reads.ts'
import { Live } from './live/live.ts'
import type { Log } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { ObjectReader } from './objects/reader.ts'
import { Outboxes } from './outbox/outbox.ts'
import type { ListReader } from './replicas/replicas.ts'
import { SharedSecrets } from './secrets/shared-secrets.ts'
import type { ChangeSubscriptionJob } from './subscriptions/changes.ts'
import { VERSION } from './version.ts'
import type { RemoveJob, StoredObserver, WriteJob, Written } from './writes/jobs.ts'
import { writeWork } from './writes/write.ts'

/** The dependencies of the routes. */
export interface Services {
  database: Database
  /** The clock of the database, which all nodes share: events and conditions go by it. */
  now(): number
  commits: CommitQueue
  reader: ObjectReader
  /** What conditions must know of a user. */
  facts: FactReader
  counter: ConditionCounter
  sharedReads: SharedReads
  /** Where lists are read: the primary, or replicas of it. */
  listReader: ListReader
  keyring: Keyring
  rateLimiter: RateLimiter
  concurrency: ConcurrencyLimiter
  metrics: Metrics
  counters: Counters
  live: Live
  /** Tells open pages what has changed. */
  hints: Hints
  housekeeping: Housekeeping
  webhooks: WebhookSide
  /** Of webhooks, and of stored answers. */
  secrets: SharedSecrets
  usage: DefinitionUsage
  /** Writes users, groups and events. The same work as `removals`: its jobs of all kinds share transactions. */
  writes: Work<WriteJob, Written>
  /** Deletes users, groups, memberships and events. */
  removals: Work<RemoveJob, true>
  /** Changes webhook subscriptions, by jobs with this result. The same work too. */
  changesOf<Result>(): Work<ChangeSubscriptionJob<Result>, Result>
  write(environmentId: EnvironmentId, job: WriteJob): Promise<Written>
  remove(environmentId: EnvironmentId, job: RemoveJob): Promise<true>
  remover: Remover
}

/** The webhook functions that writes and routes call. */
export interface WebhookSide {
  secrets: SharedSecrets
  wake(environmentId: EnvironmentId): void
  changed(environmentId: EnvironmentId, subscriptionId: string): void
  /** Why notifications cannot go to this URL, or undefined. */
  urlProblem(url: string): Promise<string | undefined>
}

const withoutWebhooks: WebhookSide = {
  secrets: new SharedSecrets(),
  wake: () => {},
  changed: () => {},
  urlProblem: async () => 'cannot be used: this process sends no notifications',
}

export interface ServiceOptions {
  webhooks?: WebhookSide
  maxActiveRequests?: number
  listReader?: ListReader | undefined
  /** What times are made by, and conditions asked at: the clock of this machine unless given. */
  now?: () => number
  /** Defaults to true on a sharded PostgreSQL. */
  oneEnvironmentPerBatch?: boolean
  /** Whether it is one of several workers. */
  hasWorkersBeside?: boolean
  /** How long a request waits for its turn, and a write for its transaction to begin: 15 s each unless given. */
  mostWaitMs?: number
}

export function createServices(database: Database, log: Log, options: ServiceOptions = {}): Services {
  const { webhooks = withoutWebhooks, maxActiveRequests = 1_000, listReader, mostWaitMs, now = Date.now } = options
  const rateLimiter = new RateLimiter(database, log)
  const concurrency = new ConcurrencyLimiter({
    mostActive: maxActiveRequests,
    mostWaiting: CONCURRENCY.mostWaiting,
    maxWaitMs: mostWaitMs ?? CONCURRENCY.maxWaitMs,
  })
  const commits = new CommitQueue(database, log, {
    oneEnvironmentPerBatch: options.oneEnvironmentPerBatch ?? database.isDistributed,
    hasWorkersBeside: options.hasWorkersBeside ?? false,
    now,
    mostWaitMs,
    observe: (jobs, seconds) => metrics.observeFlush(jobs, seconds),
  })
  const metrics = new Metrics({ pool: database.pool, commits, rateLimiter, concurrency }, VERSION)
  metrics.watchTables(() => database.query<TableSize>(tableSizes(database.isDistributed), []))
  if (database.isDistributed) metrics.watchWorkers(() => askWorkers(database))
  const usage = new DefinitionUsage(database, log)
  const counters = new Counters(database, log)
  const observeStored: StoredObserver = (environmentId, table, count) =>
    counters.changeTotal(environmentId, table, count)
  const remover = new Remover(database, log)
  const outboxes = new Outboxes()
  const definitions = new DefinitionRegistry(usage)
  const hints = new Hints(database, log)
  const work = writeWork({
    definitions,
    outboxes,
    observeStored,
    changes: hints,
    wakeDelivery: webhooks.wake,
    wakeRemover: remover.wake,
    subscriptionChanged: webhooks.changed,
  })
  // The result of a job depends on its kind.
  const writes = work as Work<WriteJob, Written>
  const removals = work as Work<RemoveJob, true>
  const reader = new ObjectReader(database)
  const counter = new ConditionCounter(database)
  if (mostWaitMs !== undefined) for (const one of [database, counter]) letScansWait(one, mostWaitMs)
  return {
    database,
    now,
    commits,
    reader,
    facts: new FactReader(database, reader, now),
    counter,
    sharedReads: new SharedReads(),
    listReader: listReader ?? { read: (run) => run(database) },
    keyring: new Keyring(database, log),
    rateLimiter,
    concurrency,
    metrics,
    counters,
    live: new Live(database, log),
    hints,
    housekeeping: new Housekeeping(database, log),
    webhooks,
    secrets: webhooks.secrets,
    usage,
    writes,
    removals,
    changesOf: <Result>() => work as Work<never, unknown> as Work<ChangeSubscriptionJob<Result>, Result>,
    write: (environmentId, job) => commits.submit(writes, environmentId, job),
    remove: (environmentId, job) => commits.submit(removals, environmentId, job),
    remover,
  }
}
