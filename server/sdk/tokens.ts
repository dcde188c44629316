import { sdkLimits } from '../../contract/sdk/limits.ts'
import { DAY_MS } from '../../contract/units.ts'
import { randomText } from '../accounts/keys.ts'
import type { Database } from '../database/database.ts'
import type { SecretBox } from '../secrets/secret-box.ts'
import { changePublicSide, type PublicChange } from './change.ts'
import { ensureSettings } from './settings.ts'
import { insertToken, markTokenEnding, markTokenRevoked, type PublicToken } from './token-queries.ts'

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

/**
 * Returns the new token, of the same name. The one before works for some days beside it, so that pages can be exchanged
 * without a gap. Undefined when the environment has no such token, or it was revoked, or ends already.
 */
export async function rotateToken(
  database: Database,
  change: PublicChange,
  id: number,
): Promise<PublicToken | undefined> {
  const { actor, environment } = change
  return await changePublicSide(database, change, async (transaction) => {
    const now = Date.now()
    const endsAt = new Date(now + sdkLimits.rotatedTokenDays * DAY_MS).toISOString()
    const before = await markTokenEnding(transaction, environment.id, id, endsAt)
    if (!before) return { result: undefined, entry: undefined }
    const at = new Date(now).toISOString()
    const token = await insertToken(transaction, environment.id, newPublicToken(), before.name, actor.name, at)
    const target = { id: before.id, name: before.name }
    const entry = { action: 'token.rotated', target, after: { token: token.token, ends_at: endsAt } } as const
    return { result: token, entry }
  })
}

export function isLive({ revoked_at, ends_at }: PublicToken, now = Date.now()): boolean {
  return revoked_at === null && (ends_at === null || Date.parse(ends_at) > now)
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
