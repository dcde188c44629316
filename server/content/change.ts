import { type Action, type Origin, record } from '../audit/record.ts'
import { lockAsking, type Right } from '../batches/right.ts'
import type { Turn, Work } from '../batches/work.ts'
import type { EnvironmentId, Transaction } from '../database/database.ts'
import type { ApiError } from '../errors.ts'
import { lockPublished } from '../history/published-lock.ts'
import { raiseRevision } from '../segments/queries.ts'
import { type GuidanceRow, lockGuidance } from './guidance-queries.ts'

/** A change of the content of an environment, and who asks for it. */
export interface ContentRequest<Job> {
  job: Job
  origin: Origin
  /** Of a member. API keys and the command line may change everything. */
  right?: Right
}

/** What a change works with: its transaction holds the lock of the environment's guidance. */
export interface Change {
  readonly db: Transaction
  readonly environmentId: EnvironmentId
  readonly origin: Origin
  readonly guidance: GuidanceRow
  readonly at: string
  newId(): string
  /** Why the one who asks may not change what users see; with `isLive` false, a draft. */
  refusal(isLive?: boolean): Promise<ApiError | undefined>
  /** An entry in the audit log. */
  note(action: Action, target: { id: string; name: string }, sides?: { before?: object; after?: object }): Promise<void>
  /** What the change did can change decisions. */
  raise(): Promise<void>
}

/**
 * Changes run one after the other, each in the transaction of its entry in the audit log. Nothing starts beside one that
 * `publishes`, and its time is later than all that has started.
 */
export function contentWork<Job, Result>(
  run: (change: Change, job: Job) => Promise<Result | ApiError>,
  publishes: (job: Job) => boolean = () => false,
): Work<ContentRequest<Job>, Result> {
  return async (transaction, environmentId, requests, turn) => {
    const guidance = await lockGuidance(transaction, environmentId)
    if (requests.some(({ job }) => publishes(job))) await lockPublished(transaction, environmentId)
    await lockAsking(
      transaction,
      requests.map(({ right }) => right),
    )
    const stamp = await turn.enter(true)
    const results: (Result | ApiError)[] = []
    for (const { job, ...asked } of requests)
      results.push(await run(changeOf(transaction, environmentId, asked, guidance, stamp), job))
    return results
  }
}

function changeOf(
  db: Transaction,
  environmentId: EnvironmentId,
  { origin, right }: Pick<ContentRequest<unknown>, 'origin' | 'right'>,
  guidance: GuidanceRow,
  stamp: Awaited<ReturnType<Turn['enter']>>,
): Change {
  return {
    db,
    environmentId,
    origin,
    guidance,
    at: stamp.at,
    newId: () => stamp.newId(),
    refusal: async (isLive = true) => await right?.(db, isLive),
    note: (action, target, sides) =>
      record(db, origin.actor, { action, target, environment: origin.environment, ...sides }),
    raise: () => raiseRevision(db, environmentId),
  }
}
