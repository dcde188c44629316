import { ApiError, errors } from '../errors.ts'
import { groups, type ObjectTable, users } from '../objects/tables.ts'
import type { BatchState } from './batch-state.ts'
import type { UpsertGroupJob, UpsertUserJob, Written } from './jobs.ts'

type UpsertJob = UpsertUserJob | UpsertGroupJob

/** Applies an upsert whose objects are as it expects, and makes its entry in the audit log, with what was there before. */
export function applyUpsert(state: BatchState, job: UpsertJob, upsert: () => Written | ApiError): Written | ApiError {
  const refusal = job.expects && checkExpected(state, job)
  const written = refusal ?? upsert()
  if (written instanceof ApiError) return written
  const before = state[tableOf(job).name].get(job.id)?.attributes
  if (job.audit) state.auditEntries.push(job.audit(written, before))
  return written
}

function tableOf(job: UpsertJob): ObjectTable {
  return job.kind === 'user' ? users : groups
}

/** The objects are locked, and one that another node creates at the same time makes the batch run again. */
function checkExpected(state: BatchState, job: UpsertJob): ApiError | undefined {
  const table = tableOf(job)
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
