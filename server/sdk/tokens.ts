import { randomText } from '../accounts/keys.ts'
import type { Database } from '../database/database.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { changePublicSide, type PublicChange } from './change.ts'
import { ensureSettings } from './settings.ts'
import { insertToken, markTokenRevoked, type PublicToken } from './token-queries.ts'

/** `pk_` and 26 base-32 characters, as a key. */
export function newPublicToken(): string {
  return `pk_${randomText(26)}`
}

/** Also makes the settings that visitors of the environment need. */
export async function createToken(
  database: Database,
  box: SecretBox,
  change: PublicChange,
  name: string,
): Promise<PublicToken> {
  const { actor, environment } = change
  return await changePublicSide(database, change, async (transaction) => {
    await ensureSettings(transaction, box, environment.id)
    const at = new Date().toISOString()
    const token = await insertToken(transaction, environment.id, newPublicToken(), name, actor.name, at)
    const entry = { action: 'token.created', target: { id: token.id, name }, after: { token: token.token } } as const
    return { result: token, entry }
  })
}

/** Undefined when the environment has no such token, or it was revoked already. */
export async function revokeToken(
  database: Database,
  change: PublicChange,
  id: number,
): Promise<PublicToken | undefined> {
  return await changePublicSide(database, change, async (transaction) => {
    const token = await markTokenRevoked(transaction, change.environment.id, id, new Date().toISOString())
    const entry = token && ({ action: 'token.revoked', target: { id: token.id, name: token.name } } as const)
    return { result: token, entry }
  })
}
