import type { Attributes } from '../../contract/attributes.ts'
import { ApiError } from '../errors.ts'
import type { BatchState } from './batch-state.ts'
import type { WriteJob, Written } from './jobs.ts'
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
  if (job.kind === 'user') return upsertUser(state, draft, job)
  return job.kind === 'group' ? upsertGroup(state, draft, job) : trackEvent(state, job)
}

function attributesBefore({ users, groups }: BatchState, job: WriteJob): Attributes | undefined {
  if (job.kind === 'event') return undefined
  return (job.kind === 'user' ? users : groups).get(job.id)?.attributes
}
