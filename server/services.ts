import { Keyring } from './accounts/keyring.ts'
import type { WriteJob, Written } from './commit/jobs.ts'
import { CommitQueue } from './commit/queue.ts'
import { type RemoveJob, removeWork } from './commit/remove.ts'
import { writeWork } from './commit/write.ts'
import type { Database, EnvironmentId } from './database/database.ts'
import { DefinitionRegistry } from './definitions/registry.ts'
import { CONCURRENCY, ConcurrencyLimiter } from './limits/concurrency-limiter.ts'
import { RateLimiter } from './limits/rate-limiter.ts'
import type { Log } from './log.ts'
import { Metrics } from './metrics/metrics.ts'
import { ObjectReader } from './objects/reader.ts'
import { VERSION } from './version.ts'

/** What the routes work with. */
export interface Services {
  database: Database
  commits: CommitQueue
  reader: ObjectReader
  keyring: Keyring
  rateLimiter: RateLimiter
  concurrency: ConcurrencyLimiter
  metrics: Metrics
  write(environmentId: EnvironmentId, job: WriteJob): Promise<Written>
  remove(environmentId: EnvironmentId, job: RemoveJob): Promise<true>
}

export interface ServiceOptions {
  wakeDelivery?: (environmentId: EnvironmentId) => void
  maxActiveRequests?: number
}

export function createServices(
  database: Database,
  log: Log,
  { wakeDelivery = () => {}, maxActiveRequests = 1_000 }: ServiceOptions = {},
): Services {
  const rateLimiter = new RateLimiter(database, log)
  const concurrency = new ConcurrencyLimiter({ mostActive: maxActiveRequests, ...CONCURRENCY })
  const commits = new CommitQueue(database, log, (jobs, seconds) => metrics.observeFlush(jobs, seconds))
  const metrics = new Metrics({ pool: database.pool, commits, rateLimiter, concurrency }, VERSION)
  const write = writeWork(new DefinitionRegistry(), wakeDelivery)
  return {
    database,
    commits,
    reader: new ObjectReader(database),
    keyring: new Keyring(database, log),
    rateLimiter,
    concurrency,
    metrics,
    write: (environmentId, job) => commits.submit(write, environmentId, job),
    remove: (environmentId, job) => commits.submit(removeWork, environmentId, job),
  }
}
