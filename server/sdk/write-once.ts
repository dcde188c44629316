import { hash } from 'node:crypto'
import type { AttributeOperations } from '../attributes/operations.ts'
import type { EnvironmentId } from '../database/database.ts'
import { fingerprintOf } from '../http/idempotency-key.ts'
import { submitOnce } from '../idempotency/run-once.ts'
import type { Services } from '../services.ts'
import type { IgnoredAttribute, WriteJob, Written } from '../writes/jobs.ts'
import { subjectOf } from '../writes/subject.ts'
import type { Visitor } from './visitor.ts'

/** What a page has sent, and the key that it sends with each try of it. */
export interface PageTry {
  key: string | null | undefined
  given: object
}

/** What an answer needs of a write. */
export type PageWritten = Pick<Written, 'id' | 'createdAt'> & { ignored?: Written['ignored'] | undefined }

/**
 * What is kept of a write, for the answer of a further try: the names of what was ignored, by their reason. With a reason for
 * each name it would be ten times what the page has sent.
 */
type KeptWrite = Pick<Written, 'id' | 'createdAt'> & { left: Readonly<Record<string, readonly string[]>> }

/**
 * Stores what a page sends, once: a page that got no answer sends it again with the same key. A write that changes nothing when
 * it is repeated needs no key, and keeps nothing.
 */
export async function writeOnce(
  { commits, writes, write }: Pick<Services, 'commits' | 'writes' | 'write'>,
  environmentId: EnvironmentId,
  visitor: Pick<Visitor, 'userId' | 'browserId'>,
  job: WriteJob,
  { key, given }: PageTry,
): Promise<PageWritten> {
  if (key == null || !isCounting(job)) return await write(environmentId, job)
  const { body } = await submitOnce(commits, writes, environmentId, job, {
    key: keyOf(visitor, key),
    fingerprint: fingerprintOf('POST', `/sdk ${job.kind}`, given),
    ...subjectOf(job),
    answer: ({ id, createdAt, ignored = [] }) =>
      JSON.stringify({ id, createdAt, left: namesByReason(ignored) } satisfies KeptWrite),
  })
  const { left, ...written } = JSON.parse(body) as KeptWrite
  return { ...written, ignored: ignoredOf(left) }
}

function namesByReason(ignored: readonly IgnoredAttribute[]): KeptWrite['left'] {
  const names: Record<string, string[]> = {}
  for (const { name, reason } of ignored) {
    names[reason] ??= []
    names[reason].push(name)
  }
  return names
}

function ignoredOf(left: KeptWrite['left']): IgnoredAttribute[] {
  return Object.entries(left).flatMap(([reason, names]) => names.map((name) => ({ name, reason })))
}

/** Whether it counts again when it is repeated: an event, or an addition to a number. */
function isCounting(job: WriteJob): boolean {
  if (job.kind === 'event') return true
  const groups = job.kind === 'user' ? job.groups : []
  return [job.operations, ...groups.flatMap((group) => [group.operations, group.membershipOperations])].some(adds)
}

const adds = (operations: AttributeOperations) => operations.some(([, { kind }]) => kind === 'add')

/** Of one user in one browser. Keys of the API have no space, so it is never one of them. */
function keyOf({ userId, browserId }: Pick<Visitor, 'userId' | 'browserId'>, key: string): string {
  return ` page ${hash('sha256', JSON.stringify([userId, browserId, key]), 'base64url')}`
}
