import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest. Those that compute and those that wait alternate, so that neither core is idle. */
const SLOWEST = [
  'test/browser/pages.test.ts',
  'test/dashboard/roles.test.ts',
  'test/stopping.test.ts',
  'test/docs-snippets.test.ts',
  'test/signals.test.ts',
  'test/browser/hostile.test.ts',
  'test/faults.test.ts',
  'test/proxies.test.ts',
  'test/slow-senders.test.ts',
  'test/browser/live.test.ts',
  'test/webhooks-crash.test.ts',
  'test/replicas.test.ts',
  'server/database/embedded/embedded.test.ts',
  'test/browser/roles.test.ts',
  'test/drill.test.ts',
  'test/kills.test.ts',
  'test/dashboard/session.test.ts',
  'test/backup.test.ts',
  'test/transfer.test.ts',
  'server/database/embedded/prepared.test.ts',
  'test/browser/segments.test.ts',
  'test/raw-sockets.test.ts',
  'test/browser/lists.test.ts',
  'server/backup/backup.test.ts',
  'test/regular-expressions.test.ts',
  'test/migrations.test.ts',
  'server/webhooks/delivery/delivery.test.ts',
  'test/crash-loop.test.ts',
  'test/disk-full.test.ts',
  'test/first-minute.test.ts',
  'test/closed-output.test.ts',
  'test/package.test.ts',
  'test/startup-errors.test.ts',
]

const rank = ({ moduleId }: TestSpecification): number => {
  const index = SLOWEST.findIndex((file) => moduleId.endsWith(`/${file}`))
  return index === -1 ? SLOWEST.length : index
}

/** Starts the slowest files first: one of them at the end would run alone, on one core. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
