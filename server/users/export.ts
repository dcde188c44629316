import type { Database, EnvironmentId } from '../database/database.ts'
import { errors } from '../errors.ts'
import { newId } from '../ids.ts'
import { exportedParts, findExportedUser, readExportPage } from './export-queries.ts'

/**
 * Everything that is stored about a user, part by part. No transaction and no connection is held while the client reads:
 * each page is a separate statement. Data that is stored after the start of the export is left out, so the export ends.
 */
export async function exportUser(
  database: Database,
  environmentId: EnvironmentId,
  userId: string,
): Promise<AsyncIterable<string>> {
  const { user, isHeld } = await findExportedUser(database, environmentId, userId)
  if (user === null && !isHeld) throw errors.notFound('User', userId)
  return write(database, environmentId, userId, user)
}

async function* write(
  database: Database,
  environmentId: EnvironmentId,
  userId: string,
  user: string | null,
): AsyncGenerator<string> {
  const until = newId()
  yield `{"object":"user_export","user_id":${JSON.stringify(userId)},"exported_at":"${new Date().toISOString()}","user":${user}`
  for (const { name, text, first, isBounded } of exportedParts) {
    yield `,"${name}":[`
    let after: string | null = first
    for (let separator = ''; after !== null; separator = ',') {
      const page = await readExportPage(database, environmentId, userId, text, after, isBounded ? until : null)
      if (page.last !== null) yield separator + page.items
      after = page.last
    }
    yield ']'
  }
  yield '}'
}
