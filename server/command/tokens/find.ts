import type { EnvironmentRow } from '../../accounts/environment-queries.ts'
import type { Database } from '../../database/database.ts'
import { listTokens, type PublicToken } from '../../sdk/token-queries.ts'
import { StartupError } from '../../startup-error.ts'

/** A public token of an environment, by its id or as it is. */
export async function findToken(database: Database, environment: EnvironmentRow, text: string): Promise<PublicToken> {
  const tokens = await listTokens(database, environment.id)
  const found = tokens.find(({ id, token }) => String(id) === text || token === text)
  if (!found) throw new StartupError(`${environment.name} has no token ${text}: see tokens list.`)
  return found
}
