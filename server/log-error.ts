import pg from 'pg'
import { pino } from 'pino'

/**
 * An error as it is logged. PostgreSQL quotes values of rows in `detail`, `where` and `hint`, and for a value that it
 * cannot read (class 22) in the message too: none of that is logged, since it can be personal data.
 */
export function errorForLog(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof pg.DatabaseError) return databaseError(error)
  if (!hasDatabaseCause(error)) return pino.stdSerializers.err(error)
  const { name, message, stack, cause } = error
  return { type: name, message, stack, cause: errorForLog(cause) }
}

function databaseError(error: pg.DatabaseError): object {
  const { code, severity, schema, table, column, constraint, routine } = error
  const message = code?.startsWith('22') ? error.message.replace(/".*"/s, '"…"') : error.message
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const stack = [`${error.name}: ${message}`, ...frames].join('\n')
  return { type: 'DatabaseError', message, code, severity, schema, table, column, constraint, routine, stack }
}

function hasDatabaseCause({ cause }: Error): boolean {
  return cause instanceof Error && (cause instanceof pg.DatabaseError || hasDatabaseCause(cause))
}
