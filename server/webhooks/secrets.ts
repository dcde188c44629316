import { limits } from '../../contract/limits.ts'

/** A secret from before a rotation. It still signs until it expires. */
export interface PreviousSecret {
  secret: string
  expires_at: string
}

const NONE = '[]'

/** The secrets that are still valid, the newest first, from the JSON text of the column. */
export function validSecrets(json: string, nowMs: number): string[] {
  return json === NONE ? [] : stillValid(json, nowMs).map(({ secret }) => secret)
}

/** The column after a rotation; undefined when too many old secrets are still valid. */
export function afterRotation(
  current: { secret: string; previous_secrets: string },
  expiresAt: Date | undefined,
  nowMs: number,
): PreviousSecret[] | undefined {
  if (!expiresAt) return []
  const previous = stillValid(current.previous_secrets, nowMs)
  if (previous.length + 2 > limits.secretsPerSubscription) return undefined
  return [{ secret: current.secret, expires_at: expiresAt.toISOString() }, ...previous]
}

function stillValid(json: string, nowMs: number): PreviousSecret[] {
  return (JSON.parse(json) as PreviousSecret[]).filter(({ expires_at }) => Date.parse(expires_at) > nowMs)
}
