import type { Attributes } from '../../contract/attributes.ts'
import { ApiError, errors } from '../errors.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import type { BatchState } from './batch-state.ts'
import type { UpsertGroupJob, UpsertUserJob, WriteJob, Written } from './jobs.ts'
import { Draft } from './state.ts'
import { trackEvent } from './track-event.ts'
import { upsertGroup } from './upsert-group.ts'
import { upsertUser } from './upsert-user.ts'

/** Applies a job in memory. A job that fails changes nothing, and has no entry in the audit log. */
export function apply(state: BatchState, job: WriteJob): Written | ApiError {
  const draft = new Draft()
  const result = applyTo(state, draft, job)
  if (result instanceof ApiError) return result
  if (job.audit) state.auditEntries.push(job.audit(result, attributesBefore(state, job)))
  draft.accept()
  return result
}

function applyTo(state: BatchState, draft: Draft, job: WriteJob): Written | ApiError {
  if (job.kind === 'event') return trackEvent(state, job)
  const refusal = job.expects && checkExpected(state, job)
  if (refusal) return refusal
  return job.kind === 'user' ? upsertUser(state, draft, job) : upsertGroup(state, draft, job)
}

/** The objects are locked, and one that another node creates at the same time makes the batch run again. */
function checkExpected(state: BatchState, job: UpsertUserJob | UpsertGroupJob): ApiError | undefined {
  const table = job.kind === 'user' ? users : groups
  if (job.expects === 'new') {
    const isTaken = state[table.name].get(job.id) !== undefined
    return isTaken ? errors.conflict(`There is a ${table.object} with the id ${job.id} already.`) : undefined
  }
  const joined = job.kind === 'user' ? job.groups : []
  return checkExists(state, table, [job.id]) ?? checkExists(state, groups, joined.map(idOf))
}

const idOf = ({ id }: { id: string }) => id

function checkExists(state: BatchState, table: ObjectTable, ids: readonly string[]): ApiError | undefined {
  const absent = ids.find((id) => state[table.name].get(id) === undefined)
  return absent === undefined ? undefined : errors.notFound(table.kind, absent)
}

function attributesBefore(state: BatchState, job: WriteJob): Attributes | undefined {
  if (job.kind === 'event') return undefined
  return (job.kind === 'user' ? state.users : state.groups).get(job.id)?.attributes
}
