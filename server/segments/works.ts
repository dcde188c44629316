import type { Condition } from '../../contract/conditions/condition.ts'
import { limits } from '../../contract/limits.ts'
import { freeKey } from '../../contract/names.ts'
import { findLastEntry } from '../audit/queries.ts'
import { type AuditedChange, type Origin, record } from '../audit/record.ts'
import { lockAsking, type Right } from '../batches/right.ts'
import type { Work } from '../batches/work.ts'
import type { Scope } from '../conditions/members-sql.ts'
import type { EnvironmentId, Queryable, Transaction } from '../database/database.ts'
import { type ApiError, errors } from '../errors.ts'
import { growthRefusal } from './growth.ts'
import { deleteSegment, findIn, findSegments, raiseRevision, type SegmentRow, storeSegment } from './queries.ts'
import { type KnownSegments, referenceProblems } from './references.ts'
import { findUses, isLive, type SegmentUse } from './uses.ts'

export interface SegmentRequest<Job> {
  job: Job
  origin: Origin
  /** Of a member. API keys and the command line may change everything. */
  right?: Right
}

export interface SavedSegment {
  key: string
  name: string | undefined
  scope: Scope
  condition: Condition
}

export type ChangedSegment = Omit<SavedSegment, 'condition'> & {
  /** Without it the stored one stays, whatever it is by then. */
  condition: Condition | undefined
  /** When the segment that it replaces was updated. Another one is not replaced. */
  expected?: string | undefined
  /** The id of the segment that it replaces. Another one with its key, made after that was deleted, is not replaced. */
  id?: string
  /** It replaces none: when its key is taken, it gets the next free one. */
  isNew?: true
}

const keyOf = ({ key }: SegmentRow) => key

export type ShownSegment = SegmentRow & { uses: readonly SegmentUse[] }

/** The revision is raised first: its row is the lock of the environment. */
async function lockFor(
  transaction: Transaction,
  environmentId: EnvironmentId,
  requests: readonly SegmentRequest<unknown>[],
): Promise<void> {
  await raiseRevision(transaction, environmentId)
  await lockAsking(
    transaction,
    requests.map(({ right }) => right),
  )
}

/** Creates and replaces segments, one after the other. */
export const saveSegments: Work<SegmentRequest<ChangedSegment>, ShownSegment> = async (
  transaction,
  environmentId,
  requests,
  turn,
) => {
  await lockFor(transaction, environmentId, requests)
  const stamp = await turn.enter(true)
  const results: (ShownSegment | ApiError)[] = []
  for (const { job: asked, origin, right } of requests) {
    const rows = await findSegments(transaction, environmentId)
    const change = asked.isNew ? { ...asked, key: freeKey(asked.key, rows.map(keyOf)) } : asked
    const before = rows.find(({ key }) => key === change.key)
    const isGone = asked.id !== undefined && before?.id !== asked.id
    const job = isGone ? undefined : wholeOf(change, before)
    if (!job) {
      results.push(errors.notFound('Segment', change.key))
      continue
    }
    const uses = await findUses(transaction, environmentId, rows)
    const refusal =
      (await right?.(transaction, isLive(job.key, uses))) ||
      (await conflictOf(transaction, origin, change, before)) ||
      (await refusalOf(transaction, environmentId, job, before, rows))
    if (refusal) {
      results.push(refusal)
      continue
    }
    const row = rowOf(job, before, () => stamp.newId(), stamp.at)
    await storeSegment(transaction, environmentId, row)
    await recordChange(transaction, origin, before ? 'segment.changed' : 'segment.created', row, before)
    results.push({ ...row, uses: uses.get(row.key) ?? [] })
  }
  return results
}

/** Nothing of somebody else is overwritten unseen, and what somebody else has deleted does not come back. */
async function conflictOf(
  transaction: Transaction,
  { actor }: Origin,
  { key, expected }: ChangedSegment,
  before: SegmentRow | undefined,
): Promise<ApiError | undefined> {
  if (expected === undefined || before?.updated_at === expected) return undefined
  if (!before) return errors.notFound('Segment', key)
  return errors.changedMeanwhile('segment', before.name, await findLastEntry(transaction, actor.accountId, before.id))
}

/** Undefined when there is no condition to keep. */
function wholeOf(
  { condition, expected: _, id: __, isNew: ___, ...change }: ChangedSegment,
  before: SegmentRow | undefined,
): SavedSegment | undefined {
  if (condition !== undefined) return { ...change, condition }
  return before && { ...change, condition: JSON.parse(before.condition) as Condition }
}

/** Why a segment cannot be saved as it is. Also what `dry_run` asks. */
export async function refusalOf(
  db: Queryable,
  environmentId: EnvironmentId,
  { key, scope, condition }: SavedSegment,
  before: SegmentRow | undefined,
  rows: readonly SegmentRow[],
): Promise<ApiError | undefined> {
  if (!before && rows.length >= limits.segmentsPerEnvironment)
    return errors.invalidParams([
      `key: an environment has at most ${limits.segmentsPerEnvironment} segments; delete one`,
    ])
  if (before && before.scope !== scope)
    return errors.invalidParams([`scope: ${key} is a segment of ${before.scope}s, and stays one; use another key`])
  const problems = referenceProblems(condition, scope, knownSegments(rows), 'condition', key)
  return problems.length === 0
    ? await growthRefusal(db, environmentId, { key, condition }, rows)
    : errors.invalidParams(problems.map(({ path, message }) => `${path}: ${message}`))
}

export function knownSegments(rows: readonly SegmentRow[]): KnownSegments {
  return new Map(
    rows.map(({ key, scope, condition }) => [key, { scope, condition: JSON.parse(condition) as Condition }]),
  )
}

export function rowOf(
  { key, name, scope, condition }: SavedSegment,
  before: SegmentRow | undefined,
  newId: () => string,
  at: string,
): SegmentRow {
  const kept = before ?? { id: newId(), created_at: at, name: key }
  return {
    id: kept.id,
    key,
    name: name ?? kept.name,
    scope,
    condition: JSON.stringify(condition),
    created_at: kept.created_at,
    updated_at: at,
  }
}

/** Refused while something uses it. There may be none. */
export const removeSegments: Work<SegmentRequest<string>, true> = async (transaction, environmentId, requests) => {
  await lockFor(transaction, environmentId, requests)
  const results: (true | ApiError)[] = []
  for (const { job, origin, right } of requests) {
    const refusal = await right?.(transaction, false)
    if (refusal) {
      results.push(refusal)
      continue
    }
    const rows = await findSegments(transaction, environmentId)
    const row = findIn(rows, job)
    const [use] = row ? ((await findUses(transaction, environmentId, rows)).get(row.key) ?? []) : []
    if (row && use) {
      results.push(errors.segmentInUse(row.key, use.object, use.key))
      continue
    }
    if (row) {
      await deleteSegment(transaction, environmentId, row.id)
      await recordChange(transaction, origin, 'segment.deleted', undefined, row)
    }
    results.push(true)
  }
  return results
}

async function recordChange(
  transaction: Transaction,
  { actor, environment }: Origin,
  action: AuditedChange['action'],
  after: SegmentRow | undefined,
  before: SegmentRow | undefined,
): Promise<void> {
  const { id, name } = (after ?? before) as SegmentRow
  await record(transaction, actor, {
    action,
    target: { id, name },
    environment,
    ...(before && { before: shown(before) }),
    ...(after && { after: shown(after) }),
  })
}

function shown({ key, name, scope, condition }: SegmentRow): object {
  return { key, name, scope, condition: JSON.parse(condition) as unknown }
}
