import pg from 'pg'

/** Classifies database errors by SQLSTATE, never by their text or the name of a constraint. */

// Serialization failures and deadlocks; and a division by zero, by which a statement says that what was read before is
// outdated (`CONFIRMED` in server/outbox/active-subscriptions.ts, `keepGroups` in server/memberships/keep-groups.ts).
const RETRYABLE = new Set(['40001', '40P01', '22012'])
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])
// Operator intervention (shutdown, starting up), connection exceptions, out of connections, memory or disk, database gone;
// and a read-only server: a standby that is not the primary yet, or a former primary.
const UNREACHABLE = /^(57P0|08|53|3D000|25006)/
/** What the coordinator of a sharded PostgreSQL answers when a worker is unreachable: internal errors, and I/O errors. */
const WORKER_UNREACHABLE = new Set(['XX000', '58030'])
const CONNECTION_FAILURE = '08006'
const WAITED = new Set(['55P03', '57014'])

export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined
}

/** The transaction conflicted with another one and can be retried. */
export function isRetryable(error: unknown): boolean {
  return RETRYABLE.has(sqlState(error) ?? '')
}

/** A row with this key is there already. */
export function isDuplicate(error: unknown): boolean {
  return sqlState(error) === '23505'
}

/** A lock or a statement timed out. */
export function isTimeout(error: unknown): boolean {
  return WAITED.has(sqlState(error) ?? '')
}

/** COMMIT was sent, and its outcome is not known. */
export class UnprovenCommit extends Error {
  constructor(cause: unknown) {
    super('the commit was not answered', { cause })
  }
}

/** The coordinator of a sharded PostgreSQL has no error code for a worker that is unreachable. Such errors get that of a lost connection. */
export function withWorkerUnreachable(error: Error): Error {
  if (!WORKER_UNREACHABLE.has(sqlState(error) ?? '')) return error
  const lost = new pg.DatabaseError(error.message, error.message.length, 'error')
  return Object.assign(lost, { code: CONNECTION_FAILURE, cause: error })
}

/** The database cannot be reached, or refuses to work for now. */
export function isUnreachable(error: unknown): boolean {
  const state = sqlState(error)
  if (state !== undefined) return UNREACHABLE.test(state)
  if (!(error instanceof Error)) return false
  if (error instanceof UnprovenCommit) return true
  if (CONNECTION_CODES.has((error as NodeJS.ErrnoException).code ?? '')) return true
  return /connection terminated|not queryable|timeout exceeded when trying to connect|client was closed/i.test(
    error.message,
  )
}

/** Why a connection failed. A refused one has no message when several addresses were tried, but each of them has one. */
export function connectionProblem(error: unknown): string {
  const { message, errors } = error as AggregateError
  return message || (errors ?? []).map((each: Error) => each.message).join(', ') || 'no connection'
}
