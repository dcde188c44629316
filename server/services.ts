import { Keyring } from './accounts/keyring.ts'
import type { WriteJob, Written } from './commit/jobs.ts'
import { CommitQueue } from './commit/queue.ts'
import { type RemoveJob, removeWork } from './commit/remove.ts'
import { writeWork } from './commit/write.ts'
import type { Database, EnvironmentId } from './database/database.ts'
import { DefinitionRegistry } from './definitions/registry.ts'
import type { Log } from './log.ts'
import { ObjectReader } from './objects/reader.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

/** What the routes work with. */
export interface Services {
  database: Database
  commits: CommitQueue
  reader: ObjectReader
  keyring: Keyring
  webhooks: WebhookSide
  write(environmentId: EnvironmentId, job: WriteJob): Promise<Written>
  remove(environmentId: EnvironmentId, job: RemoveJob): Promise<true>
}

/** What writes and routes need of the webhooks. */
export type WebhookSide = Pick<Webhooks, 'wake' | 'changed' | 'urlProblem'>

const withoutWebhooks: WebhookSide = {
  wake: () => {},
  changed: () => {},
  urlProblem: async () => 'cannot be used: this process sends no notifications',
}

export interface ServiceOptions {
  webhooks?: WebhookSide
  observeFlush?: (jobs: number, seconds: number) => void
}

export function createServices(
  database: Database,
  log: Log,
  { webhooks = withoutWebhooks, observeFlush }: ServiceOptions = {},
): Services {
  const commits = new CommitQueue(database, log, observeFlush)
  const write = writeWork(new DefinitionRegistry(), webhooks.wake)
  return {
    database,
    commits,
    reader: new ObjectReader(database),
    keyring: new Keyring(database, log),
    webhooks,
    write: (environmentId, job) => commits.submit(write, environmentId, job),
    remove: (environmentId, job) => commits.submit(removeWork, environmentId, job),
  }
}
