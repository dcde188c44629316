import type { EnvironmentId } from '../database/database.ts'
import type { Part } from '../database/parts.ts'
import { ApiError, errors } from '../errors.ts'
import type { Submitted } from './waiting-jobs.ts'

/** A client that waits longer has mostly given up: what it gets no answer for is not begun. */
export const MOST_WAIT_MS = 15_000

/** Groups a batch by environment. The jobs of an environment are next to each other in it. */
export function byEnvironment(batch: readonly Submitted[]): Part<Submitted>[] {
  const parts: { environmentId: EnvironmentId; items: Submitted[] }[] = []
  for (const ticket of batch) {
    const last = parts.at(-1)
    if (last?.environmentId === ticket.item.environmentId) last.items.push(ticket)
    else parts.push({ environmentId: ticket.item.environmentId, items: [ticket] })
  }
  return parts
}

export function answer(batch: readonly Submitted[], results: readonly unknown[]): void {
  for (const [index, ticket] of batch.entries()) {
    const result = results[index]
    if (result instanceof ApiError) ticket.reject(result)
    else ticket.resolve(result)
  }
}

/** Refuses the jobs that have waited for too long, and those behind a job of their request that failed. Returns the others. */
export function refuseLate(tickets: Submitted[], mostWaitMs: number): Submitted[] {
  const now = performance.now()
  return tickets.filter((ticket) => {
    const { submittedAt, order } = ticket.item
    if (now - submittedAt > mostWaitMs) fail(ticket, errors.overloaded())
    else if (order?.isBroken()) fail(ticket, errors.unavailable('An operation before it on the same object failed.'))
    else return true
    return false
  })
}

/** The job may not be stored, or its outcome is not known. */
export function fail({ item, reject }: Submitted, error: unknown): void {
  if (!(error instanceof ApiError) || error.status >= 500) item.order?.break()
  reject(error)
}
