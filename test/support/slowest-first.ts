import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest. Those that compute and those that wait alternate, so that neither core is idle. */
const SLOWEST = [
  'test/browser/pages.test.ts',
  'test/dashboard/roles.test.ts',
  'test/stopping.test.ts',
  'test/docs-snippets.test.ts',
  'test/disk-full.test.ts',
  'test/browser/studio-editor.test.ts',
  'test/signals.test.ts',
  'test/browser/lists.test.ts',
  'test/drill.test.ts',
  'test/dashboard/session.test.ts',
  'test/backup.test.ts',
  'test/browser/segments.test.ts',
  'test/transfer.test.ts',
  'test/faults.test.ts',
  'test/kills.test.ts',
  'test/browser/studio.test.ts',
  'test/replicas.test.ts',
  'test/raw-sockets.test.ts',
  'test/slow-senders.test.ts',
  'test/browser/live.test.ts',
  'test/migrations.test.ts',
  'test/browser/in-place.test.ts',
  'test/proxies.test.ts',
  'test/webhooks-crash.test.ts',
  'server/webhooks/delivery/delivery.test.ts',
  'server/backup/backup.test.ts',
  'test/browser/guidance.test.ts',
  'server/database/embedded/embedded.test.ts',
  'test/first-minute.test.ts',
  'test/browser/roles.test.ts',
  'test/crash-loop.test.ts',
  'test/browser/script-rough.test.ts',
  'test/package.test.ts',
  'test/regular-expressions.test.ts',
  'server/database/embedded/prepared.test.ts',
  'test/dashboard/definitions.test.ts',
  'test/foreign-tables.test.ts',
  'test/browser/script-looks.test.ts',
  'test/deletions.test.ts',
  'test/browser/hostile.test.ts',
  'test/closed-output.test.ts',
  'test/browser/documents.test.ts',
  'test/progress-kills.test.ts',
  'server/decisions/decide.test.ts',
  'test/terminal.test.ts',
  'test/browser/studio-in-place.test.ts',
  'test/startup-errors.test.ts',
  'server/http/admission.test.ts',
  'client/test/package.test.ts',
  'test/browser/keyboard.test.ts',
  'client/test/readme.test.ts',
  'test/contract/encodings.test.ts',
  'server/batches/write-order.test.ts',
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
