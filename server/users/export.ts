import type { Database, EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { type ExportPage, type ExportStart, exportedParts, findExportedUser, readExportPage } from './export-queries.ts'

const FIRST_ROWS = 50
const MOST_ROWS = 200

/**
 * Everything that is stored about a user, part by part. No transaction and no connection is held while the client reads:
 * each page is a separate statement. Data that is stored after the start of the export is left out, so the export ends.
 */
export async function exportUser(
  database: Database,
  environmentId: EnvironmentId,
  userId: string,
): Promise<AsyncIterable<string>> {
  const start = await findExportedUser(database, environmentId, userId)
  if (start.user === null && !start.isHeld) throw errors.notFound('User', userId)
  return write(database, environmentId, userId, start)
}

async function* write(
  database: Database,
  environmentId: EnvironmentId,
  userId: string,
  { user, last }: ExportStart,
): AsyncGenerator<string> {
  yield `{"object":"user_export","user_id":${JSON.stringify(userId)},"exported_at":"${new Date().toISOString()}","user":${user}`
  for (const part of exportedParts) {
    const { name, text, first } = part
    const until = part.isBounded ? last[part.name] : null
    yield `,"${name}":[`
    const read = (after: string, rows: number) =>
      readExportPage(database, environmentId, userId, text, { after, until, rows })
    yield* itemsOf(read, first)
    yield ']'
  }
  yield '}'
}

/** The rows of a page follow those that fitted before it, so that few large objects are rendered in vain. */
async function* itemsOf(
  read: (after: string, rows: number) => Promise<ExportPage>,
  first: string,
): AsyncGenerator<string> {
  let page = await read(first, FIRST_ROWS)
  for (let separator = ''; page.last !== null; separator = ',') {
    yield separator + page.items
    page = await read(page.last, Math.min(2 * page.count, MOST_ROWS))
  }
}
